// The containers of libstdc++ work on the models of cxx.c and cxx_containers.c, which replace the library's own functions.
#include <cstdio>
#include <cstdlib>
#include <list>
#include <map>
#include <set>
#include <string>
#include <unordered_map>

extern "C" {
int __clew_errno;

void *__clew_new_object(size_t bytes) { return aligned_alloc(16, (bytes + 31) / 16 * 16); }

[[noreturn]] static void stop(const char *why) {
    fprintf(stderr, "%s\n", why);
    exit(1);
}

void __clew_unsupported(const char *what) { stop(what); }
void __clew_error(const char *, const char *message) { stop(message); }
void __clew_false_claim(const char *, const char *, const char *claim) { stop(claim); }
void __clew_free(void *) {}
void __clew_halt() { stop("halt"); }
}

static void check(bool holds, const char *what) {
    if (!holds) {
        stop(what);
    }
}

static void test_maps() {
    std::map<int, std::string> tree;
    std::unordered_map<std::string, int> hash;
    bool present[500] = {};
    for (int round = 0; round < 20000; round++) {
        int key = rand() % 500;
        if (present[key]) {
            check(tree.erase(key) == 1 && hash.erase(std::to_string(key)) == 1, "erase");
        } else {
            tree[key] = "value " + std::to_string(key);
            hash[std::to_string(key)] = key;
        }
        present[key] = !present[key];
    }
    size_t count = 0;
    int last = -1;
    for (const auto &[key, value] : tree) {
        check(present[key] && key > last && value == "value " + std::to_string(key), "the tree is in order");
        check(hash.at(std::to_string(key)) == key, "the hash table holds the same");
        last = key;
        count++;
    }
    check(count == tree.size() && count == hash.size(), "the sizes agree");
    auto copy = tree;
    tree.clear();
    for (auto i = copy.rbegin(); i != copy.rend(); ++i) {
        count--;
    }
    check(count == 0, "backwards");
}

static void test_lists() {
    std::list<int> list;
    std::multiset<int> set;
    for (int i = 0; i < 1000; i++) {
        list.push_back(rand() % 100);
        set.insert(rand() % 10);
    }
    list.sort();
    list.reverse();
    int last = 100;
    for (int x : list) {
        check(x <= last, "the list is sorted");
        last = x;
    }
    last = -1;
    for (int x : set) {
        check(x >= last, "the multiset is sorted");
        last = x;
    }
    list.unique();
    list.remove(5);
    std::list<int> other{1, 2};
    size_t total = list.size() + 2;
    other.splice(other.begin(), list);
    list.swap(other);
    check(other.empty() && list.size() == total && list.back() == 2, "splice and swap");
}

int main() {
    test_maps();
    test_lists();
    puts("containers work");
}
