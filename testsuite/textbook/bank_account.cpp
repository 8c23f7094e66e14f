// truth: safe
#include <cassert>
#include <iostream>
#include <string>

class Account {
public:
    Account(std::string o, long cents) : owner(std::move(o)), balance(cents) {}
    void deposit(long cents) { balance += cents; }
    bool withdraw(long cents) {
        if (cents > balance) {
            return false;
        }
        balance -= cents;
        return true;
    }
    long cents() const { return balance; }
    const std::string &name() const { return owner; }

private:
    std::string owner;
    long balance;
};

std::ostream &operator<<(std::ostream &out, const Account &account) {
    return out << account.name() << ": " << account.cents() / 100 << '.' << account.cents() % 100;
}

int main() {
    Account account("Ann", 1000);
    account.deposit(550);
    assert(account.withdraw(1200));
    assert(!account.withdraw(1000));
    std::cout << account << std::endl;
    assert(account.cents() == 350);
    assert(account.name() == "Ann");
}
