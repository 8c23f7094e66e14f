//# value text: string
static int @f(int a, int b) {
    std::string s = "$[Apple :: a :: a longer text than the small buffer :: ]";
    $[s += 'x'; :: s += "yz"; :: s.push_back('a' + (a & 7)); :: s.append(a & 3, 'q'); :: s.insert(0, "in"); :: s = s + s; :: if (!s.empty()) s.pop_back(); :: s.resize(3, '-'); :: s.clear(); :: s.assign("other");]
    $[s += std::to_string($[12 :: b :: -5]); :: s.erase(0, 1); :: if (a > b) s += "!"; :: s = s.substr(0, 2); :: ]
    return (int)s.size() * 8 + (s == "$[Apple :: Applex :: ax :: other]") + (s.empty() ? 0 : s[0] & 7);
}

//# value text_search: string
static int @f(int a, int b) {
    std::string s("$[hello world :: aXbXc :: mississippi]");
    s[a & 3] = 'a' + (b & 3);
    auto at = $[s.find("$[o :: ss :: X]") :: s.rfind('$[s :: b :: l]') :: s.find_first_of("xyzX") :: s.find('i', 2)];
    return (at == std::string::npos ? -1 : (int)at) * 4 + (s < "m") + 2 * (s.compare("hello") > 0);
}

//# value text_number: string
static int @f(int a, int b) {
    int n = $[std::stoi("$[12 :: -7 :: 345]") :: (int)std::stol("99") :: (int)(std::stod("1.5") * 2) :: std::stoi("ff", nullptr, 16)];
    return n + (int)std::to_string(a * $[1..30]).size() * 64 + b;
}

//# value printed: iostream string
static int @f(int a, int b) {
    std::string s = "$[Apple :: pear]";
    int n = a;
    std::cout << $[s :: n :: "text" :: s << n :: 'c' :: 1.5 :: n << ' ' << b :: true]$[ :: << '\n' :: << std::endl];
    return (int)s.size() * 64 + n + (s == "Apple") + b;
}

//# value printed_fields: iostream iomanip
static int @f(int a, int b) {
    int row[3] = {a, b, 3};
    for (int v : row)
        std::cout << $[std::setw(4) :: std::hex :: std::fixed :: std::setfill('0') :: std::boolalpha :: std::setprecision(2)] << v << $['\n' :: " " :: std::endl];
    return row[0] + 2 * row[1] + row[2];
}

//# value stream: sstream string
static int @f(int a, int b) {
    std::ostringstream out;
    out << $[a :: "n=" << 5 :: 'x' << b :: "text"];
    return (int)out.str().size() * 64 + (a ^ b);
}

//# value stream_in: sstream string
static int @f(int a, int b) {
    std::istringstream in("$[3 4 :: 12 x :: -1 2]");
    int x = 0, y = 0;
    in >> x >> y;
    return x * 8 + y + (in ? 64 : 0) + a - b;
}

//# value vector: vector
static int @f(int a, int b) {
    std::vector<$t=[int :: long :: short :: char]> v{$[1, 2, 3 :: 5 :: 9, 8, 7, 6]};
    v.push_back(($t)a);
    $[v.push_back(($t)b); :: v.insert(v.begin(), ($t)b); :: v.erase(v.begin()); :: v.resize(6); :: v.pop_back(); :: v.reserve(10); :: v.emplace_back(($t)b); :: v.assign(3, ($t)b);]
    int sum = 0;
    $[for (auto x : v) sum = sum * 2 + x; :: for (std::size_t i = 0; i < v.size(); i++) sum += v[i] * (int)i; :: for (auto it = v.rbegin(); it != v.rend(); ++it) sum = sum * 2 + *it; :: sum = v.front() * 8 + v.back();]
    return sum + (int)v.size();
}

//# value vector_of_text: vector string
static int @f(int a, int b) {
    std::vector<std::string> v{"one", "two", "three"};
    v[a % 3] += 'x';
    $[v.push_back("four"); :: std::swap(v[0], v[2]); :: v.erase(v.begin() + 1); :: auto w = v; v = w;]
    std::size_t n = 0;
    for (const auto &s : v)
        n = n * 8 + s.size();
    return (int)(n & 0xffff) + b;
}

//# value map: map
static int @f(int a, int b) {
    std::map<int, int> m{{1, 5}, {3, 7}};
    m[a & 3] = b;
    $[m.erase(3); :: m.insert({2, 9}); :: m[b & 3]++; :: m.emplace(4, a);]
    int sum = 0;
    for (const auto &entry : m)
        sum = sum * 3 + entry.first + entry.second;
    return sum + (int)m.size() + $[(int)m.count(3) :: (m.find(1) != m.end()) :: (int)m.begin()->second];
}

//# value map_of_text: map string
static int @f(int a, int b) {
    std::map<std::string, int> m;
    m["$[x :: key]"] = a;
    m["$[y :: key]"] += b;
    return (int)m.size() * 64 + m["key"] + m.begin()->second;
}

//# value set: set
static int @f(int a, int b) {
    std::$[set :: multiset]<int> s{4, 2};
    s.insert(a & 7);
    s.insert(b & 7);
    return (int)s.size() * 16 + *s.begin() + (int)s.count(2);
}

//# value hashed: unordered_map
static int @f(int a, int b) {
    std::unordered_map<int, int> m;
    m[a] = 1;
    m[b] += 2;
    return m[a] * 4 + (int)m.size();
}

//# value algorithms: algorithm vector numeric
static int @f(int a, int b) {
    std::vector<int> v{5, a, 3, b};
    $[std::sort(v.begin(), v.end()); :: std::reverse(v.begin(), v.end()); :: std::rotate(v.begin(), v.begin() + 1, v.end()); :: std::sort(v.begin(), v.end(), [](int x, int y) { return x > y; }); :: std::transform(v.begin(), v.end(), v.begin(), [b](int x) { return x ^ b; }); :: std::replace(v.begin(), v.end(), 3, 4); :: std::fill(v.begin(), v.begin() + 2, a);]
    int n = $[std::accumulate(v.begin(), v.end(), 0) :: (int)std::count(v.begin(), v.end(), 3) :: *std::max_element(v.begin(), v.end()) :: *std::min_element(v.begin(), v.end()) :: (int)(std::find(v.begin(), v.end(), b) - v.begin()) :: (int)std::count_if(v.begin(), v.end(), [](int x) { return x > 3; }) :: (int)std::any_of(v.begin(), v.end(), [a](int x) { return x == a + 1; }) :: std::inner_product(v.begin(), v.end(), v.begin(), 0)];
    return n * 8 + v[0] + v[3];
}

//# value unique: memory
struct @t { int v; static int alive; @t(int v) : v(v) { alive++; } ~@t() { alive--; } };
int @t::alive = 0;
static int @f(int a, int b) {
    int n = 0;
    {
        std::unique_ptr<@t> p = std::make_unique<@t>(a), q;
        $[q = std::move(p); :: p.reset(); :: q.reset(new @t(b)); :: std::swap(p, q); :: p->v += b;]
        n = @t::alive * 64 + (p ? p->v : 7) + (q ? q->v * 2 : 9);
    }
    return n * 2 + @t::alive;
}

//# value shared: memory
struct @t { int v; ~@t() { v = -1; } };
static int @f(int a, int b) {
    std::shared_ptr<@t> p = $[std::make_shared<@t>(@t{a}) :: std::shared_ptr<@t>(new @t{a})], q = p;
    $[q.reset(); :: q->v += b; :: auto r = q; r->v = b; :: q = std::make_shared<@t>(@t{b}); :: std::weak_ptr<@t> w = p; q.reset();]
    return (int)p.use_count() * 64 + p->v + (q == p);
}

//# value optional: optional
static std::optional<int> @half(int n) {
    if (n & 1)
        return std::nullopt;
    return n / 2;
}
static int @f(int a, int b) {
    auto x = @half(a), y = @half(b);
    return x.value_or(50) * 2 + (y ? *y : $[7 :: 70]) + (x == y) * 100;
}

//# value variant: variant
static int @f(int a, int b) {
    std::variant<int, char, double> v = a;
    if (a > b)
        v = $['c' :: 1.5];
    return (int)v.index() * 64 + $[std::visit([](auto x) { return (int)(x * 2); }, v) :: (std::holds_alternative<int>(v) ? std::get<int>(v) : -1) :: (std::get_if<int>(&v) ? b : 3)];
}

//# value tuple: tuple utility
static std::tuple<int, char, short> @make(int a, int b) { return {a, (char)b, (short)(a + b)}; }
static int @f(int a, int b) {
    auto [x, y, z] = @make(a, b);
    $[std::swap(x, a); :: std::tie(x, b) = std::pair<int, int>{b, a}; :: x = std::exchange(a, 3);]
    return x * 4 + y * 2 + z + a;
}

//# value functional: functional
static int @f(int a, int b) {
    std::function<int(int)> g = [a](int x) { return x + a; };
    $[if (b > $[1..5]) g = [](int x) { return x * 2; }; :: auto h = g; g = [h](int x) { return h(h(x)); }; :: std::function<int(int)> h = std::move(g); g = [&](int x) { return h(x) ^ 1; };]
    return g(b) + (g ? 64 : 0);
}

//# value deque_and_list: deque list
static int @f(int a, int b) {
    std::$[deque :: list]<int> d{a, 2};
    d.push_front(b);
    d.push_back(7);
    $[d.pop_front(); :: d.pop_back(); :: d.insert(d.begin(), 9); :: d.erase(d.begin());]
    int sum = 0;
    for (int x : d)
        sum = sum * 2 + x;
    return sum;
}

//# value array: array
static int @f(int a, int b) {
    std::array<int, 4> x{a, b, 3, 4}, y = x;
    y[a & 3] = 9;
    return (x == y) * 64 + y[0] + y[3] * 2 + (int)y.size() + (x < y) * 128;
}

//# value queues: queue stack vector
static int @f(int a, int b) {
    std::$[priority_queue<int> q; q.push(a); q.push(b); q.push(5); int n = q.top(); :: stack<int> q; q.push(a); q.push(b); q.pop(); int n = q.top(); :: queue<int> q; q.push(a); q.push(b); int n = q.front();]
    return n * 4 + (int)q.size();
}

//# value view: string_view string
static int @f(int a, int b) {
    std::string_view v = "$[prefix-body :: -x :: none]";
    auto dash = v.find('-');
    if (dash != v.npos)
        v.remove_prefix(dash + 1);
    return (int)v.size() * 8 + (v.empty() ? 0 : v[a % v.size()] & 7) + (v == "x") + b;
}

//# value once: mutex
static std::once_flag @flag;
static int @n;
static int @f(int a, int b) {
    std::call_once(@flag, [a] { @n += a + 1; });
    return @n * 2 + b;
}
