"""How many random tries a test makes."""
import os


def tries(name, most):
    """Returns the number in the environment variable of that name, else `most`, or a fifth of it in a build with
    sanitizers: there each try takes several times as long, and few tries run the code that a sanitizer watches."""
    return int(os.environ.get(name) or (max(1, most // 5) if os.environ.get("OG_SANITIZE") else most))
