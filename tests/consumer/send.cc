/* Sends orders from a C++ program with an event loop of its own: one that rests and, once it works, its cancel. */
// The broker is named by the environment (ORDERGATE_BASE_URL and so on), the ledger by the first argument.
#include <cstdio>
#include <memory>
#include <ordergate/send.h>
#include <poll.h>
#include <string>
#include <string_view>

namespace
{

class Desk
{
  public:
    explicit Desk(const char *ledger)
    {
        og_error err{};
        og_policy *policy = nullptr;
        og_send_options options{};
        og_sender *made = nullptr;

        if (og_policy_load("default", &policy, nullptr, nullptr, &err) != OG_OK)
            throw std::string(err.text);
        options.policy = policy;
        options.ledger = ledger;
        options.event = [](void *with, const char *event, size_t len) {
            return static_cast<Desk *>(with)->hear({ event, len });
        };
        options.word = [](void *, const char *text) { std::fprintf(stderr, "%s\n", text); };
        options.with = this;
        if (og_sender_new(&options, &made, &err) != OG_OK) {
            og_policy_free(policy);
            throw std::string(err.text);
        }
        sender.reset(made);
        og_sender_hold(made); // lines come later
    }

    void give(std::string_view line)
    {
        if (og_sender_line(sender.get(), line.data(), line.size()) != OG_OK)
            throw std::string("out of memory");
    }

    int run()
    {
        og_error err{};
        int code = 4;
        bool on = og_sender_start(sender.get(), &err) == OG_OK;

        while (on) {
            pollfd ready{ og_sender_fd(sender.get()), POLLIN, 0 }; // beside whatever else the program waits for
            poll(&ready, 1, og_sender_timeout_ms(sender.get()));
            on = og_sender_step(sender.get());
        }
        if (og_sender_finish(sender.get(), &code, &err) != OG_OK)
            std::fprintf(stderr, "%s\n", err.text);
        return code;
    }

  private:
    struct Free {
        void operator()(og_sender *s) const
        {
            og_sender_free(s);
        }
    };
    std::unique_ptr<og_sender, Free> sender;

    int hear(std::string_view event)
    {
        std::printf("%.*s\n", static_cast<int>(event.size()), event.data());
        if (event.find(R"("outcome":"working")") != event.npos) {
            give(R"({"op":"cancel","clientOrderId":"cc-1"})");
            og_sender_end(sender.get());
        }
        return 0;
    }
};

} // namespace

int main(int argc, char **argv)
try {
    Desk desk(argc > 1 ? argv[1] : nullptr);

    desk.give(R"({"clientOrderId":"cc-1","securityType":"Stock","symbol":"AAPL","side":"Buy","openClose":"Open",)"
              R"("orderType":"Limit","orderQuantity":10,"timeInForce":"Day","limitPrice":150})");
    return desk.run();
} catch (const std::string &why) {
    std::fprintf(stderr, "%s\n", why.c_str());
    return 4;
}
