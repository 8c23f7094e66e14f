// truth: safe
#include <cassert>
#include <iostream>

enum class Action { add, remove, quit };

Action choose(char key) {
    switch (key) {
    case 'a':
        return Action::add;
    case 'r':
        return Action::remove;
    default:
        return Action::quit;
    }
}

int main() {
    char key = 'q';
    std::cout << "a)dd r)emove q)uit: ";
    std::cin >> key;
    Action action = choose(key);
    if (key == 'a') {
        assert(action == Action::add);
    }
    if (action == Action::remove) {
        assert(key == 'r');
    }
    std::cout << static_cast<int>(action) << std::endl;
}
