//# via thrown
struct @carrier { void *p; };
static void *@f(void *p) {
    try {
        $[throw p; :: throw @carrier{p};]
    } catch (void *q) {
        return q;
    } catch (const @carrier &c) {
        return c.p;
    }
}

//# via captured
static void *@f(void *p) {
    auto get = $[[p] { return p; } :: [q = p] { return q; } :: [&] { return p; } :: [=]() mutable { return p; }];
    return get();
}

//# via bit_cast: cstdint
struct @bits { $[std::uintptr_t n; :: double d; :: char c[8]; :: std::uint32_t w[2];] };
static void *@f(void *p) {
    auto b = __builtin_bit_cast(@bits, p);
    auto c = b;
    return __builtin_bit_cast(void *, c);
}

//# via standard_containers: vector map deque list
static void *@f(void *p) {
    $[std::vector<void *> v{nullptr, p}; v.push_back(nullptr); return v[1]; :: std::map<int, void *> m; m[3] = p; m[1] = nullptr; return m[3]; :: std::deque<void *> d; d.push_front(p); d.push_back(nullptr); return d.front(); :: std::list<void *> l{p}; return l.back();]
}

//# via standard_function: functional
static void *@f(void *p) {
    std::function<void *()> g = [p] { return p; };
    $[auto h = g; return h(); :: return std::move(g)(); :: g = [g] { return g(); }; return g();]
}

//# via any_of: any variant optional tuple
static void *@f(void *p) {
    $[std::any x = p; return std::any_cast<void *>(x); :: std::variant<int, double, void *> x = p; auto y = x; return std::get<2>(y); :: std::optional<void *> x; x = p; return x.value_or(nullptr); :: std::tuple<char, void *> x{'c', p}; return std::get<1>(x); :: std::pair<void *, int> x{p, 1}; auto [q, n] = x; return q;]
}

//# via atomic: atomic
static std::atomic<void *> @cell;
static void *@f(void *p) {
    @cell = p;
    void *q = nullptr;
    $[return @cell.load(); :: return @cell.exchange(q); :: q = p; void *r = q; @cell.compare_exchange_strong(q, r); return @cell;]
}

//# via member
struct @s { void *x, *y; void *get() const { return y; } };
static void *@f(void *p) {
    @s s{nullptr, p};
    void *@s::*field = &@s::y;
    void *(@s::*method)() const = &@s::get;
    return $[s.*field :: (s.*method)()];
}

//# via owned: memory
struct @keep { void operator()(void **) const {} };
static void *@f(void *p) {
    $[std::unique_ptr<void *> o(new void *(p)); auto q = std::move(o); return *q; :: std::shared_ptr<void *> o = std::make_shared<void *>(p), q = o; o.reset(); return *q; :: std::unique_ptr<void *, @keep> o(&p); return *o;]
}

//# via virtual_function
struct @base { virtual void *get() = 0; virtual ~@base() = default; };
struct @holder : @base { void *p; explicit @holder(void *p) : p(p) {} void *get() override { return p; } };
struct @wrapper : @base { @base &inner; explicit @wrapper(@base &inner) : inner(inner) {} void *get() override { return inner.get(); } };
static void *@f(void *p) {
    @holder h(p);
    @wrapper w(h);
    @base *b = $[&h :: &w];
    return b->get();
}

//# via multiple_bases
struct @left { int n = 1; virtual ~@left() = default; };
struct @right { void *p = nullptr; virtual void *get() { return p; } virtual ~@right() = default; };
struct @both : @left, @right { void *get() override { return p; } };
static void *@f(void *p) {
    @both b;
    @right *r = &b;
    r->p = p;
    $[@left *l = &b; return dynamic_cast<@right *>(l)->get(); :: return static_cast<@both *>(r)->get(); :: return dynamic_cast<@both *>(r)->p;]
}

//# via sorted_algorithm: algorithm cstdint vector
static void *@f(void *p) {
    std::vector<std::uintptr_t> v{1, reinterpret_cast<std::uintptr_t>(p), 2};
    std::sort(v.begin(), v.end());
    return reinterpret_cast<void *>($[v.back() :: *std::max_element(v.begin(), v.end()) :: v[2]]);
}

//# via template_visitor
template <typename T, typename... Rest> static void *@last(T first, Rest... rest) {
    if constexpr (sizeof...(rest) == 0)
        return (void *)first;
    else
        return @last(rest...);
}
static void *@f(void *p) {
    return $[@last(p) :: @last(1L, p) :: @last((char *)nullptr, 2L, p)];
}
