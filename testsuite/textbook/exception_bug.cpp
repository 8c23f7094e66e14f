// truth: unsafe
#include <cassert>
#include <stdexcept>

class Account {
public:
    void withdraw(int amount) {
        balance -= amount;
        if (balance < 0) {
            throw std::runtime_error("overdrawn");
        }
    }
    int balance = 100;
};

int main() {
    Account account;
    try {
        account.withdraw(30);
        account.withdraw(90);
    } catch (const std::runtime_error &) {
    }
    assert(account.balance >= 0);
}
