//# value own_thread: thread
static int @n;
static int @f(int a, int b) {
    @n = a;
    std::thread t([$[&, b :: b]] { @n += b + 1; });
    t.join();
    return @n * 2;
}

//# value later: future
static int @f(int a, int b) {
    auto later = std::async($[std::launch::deferred :: std::launch::async], [a, b] { return a * 2 + b; });
    return later.get() + $[1..9];
}

//# value compared_by_function: set map algorithm vector
static bool @less(int x, int y) { return x % 8 < y % 8; }
static int @f(int a, int b) {
    $[std::set<int, bool (*)(int, int)> s(@less); s.insert(a); s.insert(b); s.insert(3); return (int)s.size() * 64 + *s.begin(); :: std::vector<int> v{a, b, 3}; std::stable_sort(v.begin(), v.end(), @less); return v[0] * 8 + v[2]; :: std::map<int, int, bool (*)(int, int)> m(@less); m[a] = 1; m[b] = 2; return (int)m.size() * 8 + m[a];]
}

//# value for_each: algorithm vector
struct @sum { int n = 0; void operator()(int x) { n = n * 2 + x; } };
static int @f(int a, int b) {
    std::vector<int> v{a, b, 1};
    return std::for_each(v.begin(), v.end(), @sum()).n;
}
