// truth: unsafe
#include <cassert>
#include <iostream>
#include <vector>

struct Account {
    int id;
    int balance;
};

void transfer(Account from, Account &to, int amount) {
    from.balance -= amount;
    to.balance += amount;
}

int main() {
    std::vector<Account> accounts = {{1, 100}, {2, 50}};
    transfer(accounts[0], accounts[1], 30);
    std::cout << accounts[0].balance << ' ' << accounts[1].balance << '\n';
    assert(accounts[0].balance + accounts[1].balance == 150);
}
