// Streams: this prints the same with Clew's headers and with those of the library.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

static unsigned long long state = 1;

static unsigned random_below(unsigned bound) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<unsigned>(state >> 33) % bound;
}

static void show(const std::string &text, const std::ios &stream) {
    std::printf("[%s] %d%d%d%d", text.c_str(), stream.good(), stream.eof(), stream.fail(), stream.bad());
    std::printf(" width %d precision %d fill %d\n", static_cast<int>(stream.width()), static_cast<int>(stream.precision()),
                stream.fill());
}

static void set_format(std::ostream &out) {
    switch (random_below(4)) {
    case 0: out << std::hex; break;
    case 1: out << std::oct; break;
    case 2: out << std::dec; break;
    default: out << std::setbase(random_below(2) ? 16 : 7);
    }
    switch (random_below(5)) {
    case 0: out << std::left; break;
    case 1: out << std::right; break;
    case 2: out << std::internal; break;
    default: out.unsetf(std::ios::adjustfield);
    }
    switch (random_below(4)) {
    case 0: out << std::fixed; break;
    case 1: out << std::scientific; break;
    default: out << std::defaultfloat;
    }
    out << (random_below(2) ? std::showbase : std::noshowbase) << (random_below(2) ? std::showpos : std::noshowpos)
        << (random_below(2) ? std::uppercase : std::nouppercase) << (random_below(2) ? std::boolalpha : std::noboolalpha);
    if (random_below(2)) {
        out << std::setfill(random_below(2) ? '*' : ' ');
    }
    if (random_below(3) == 0) {
        out << std::setprecision(static_cast<int>(random_below(12)));
    }
}

static void write_values() {
    static const long long whole[] = {0, 1, -1, 42, -42, 255, 65536, 2147483647, -2147483648LL, 1234567890123456789LL};
    static const double real[] = {0, 1, -1.5, 3.14159, 0.1, 100, 1e6, 12345678.9, 1e-5, -2.5e10, 0.5, 1e20};
    for (int round = 0; round < 3000; round++) {
        std::ostringstream out;
        set_format(out);
        for (int i = 0; i < 6; i++) {
            if (random_below(2)) {
                out << std::setw(static_cast<int>(random_below(14)));
            }
            long long n = whole[random_below(10)];
            switch (random_below(16)) {
            case 0: out << static_cast<int>(n); break;
            case 1: out << static_cast<unsigned>(n); break;
            case 2: out << n; break;
            case 3: out << static_cast<short>(n); break;
            case 4: out << static_cast<unsigned long>(n); break;
            case 5: out << (n > 0); break;
            case 6: out << 'c'; break;
            case 7: out << "text"; break;
            case 8: out << std::string("string"); break;
            case 9: out << real[random_below(12)]; break;
            case 10: out << static_cast<float>(real[random_below(12)]); break;
            case 11: out << static_cast<long double>(real[random_below(12)]); break;
            case 12: out << static_cast<const void *>(nullptr); break;
            case 13: out << static_cast<signed char>('s'); break;
            case 14: out.put('p').write("write", 3); break;
            default: out << std::quoted("q\"x"); break;
            }
            out << '|';
        }
        show(out.str(), out);
    }
}

static void read_values() {
    static const char *const texts[] = {"", " ", "12", " 12 34 ", "-5", "+7x", "0x1f", "010", "abc", "12abc", "99999999999",
                                        "-99999999999", "70000 -70000", "3.5", "1e3", ".5.", "-2.5e-3x", "1e", "true false",
                                        "1 0 2", "hello world", "line one\nline two\n", "\n\n", "a,b,,c", "-1", "- 1", "0"};
    for (const char *text : texts) {
        for (int kind = 0; kind < 16; kind++) {
            for (int base = 0; base < 3; base++) {
                std::istringstream in(text);
                in >> (base == 0 ? std::dec : base == 1 ? std::hex : std::oct);
                std::string seen;
                for (int i = 0; i < 3; i++) {
                    std::ostringstream out;
                    int n = 7;
                    unsigned u = 7;
                    short s = 7;
                    long long w = 7;
                    unsigned char b = 'u';
                    bool t = false;
                    double d = 7;
                    float f = 7;
                    char c = '7', buffer[8] = "######";
                    std::string word = "unread";
                    switch (kind) {
                    case 0: in >> n, out << n; break;
                    case 1: in >> u, out << u; break;
                    case 2: in >> s, out << s; break;
                    case 3: in >> w, out << w; break;
                    case 4: in >> b, out << b; break;
                    case 5: in >> t, out << t; break;
                    case 6: in >> std::boolalpha >> t, out << t; break;
                    case 7: in >> d, out << d; break;
                    case 8: in >> f, out << f; break;
                    case 9: in >> c, out << c; break;
                    case 10: in >> word, out << word; break;
                    case 11: std::getline(in, word), out << word; break;
                    case 12: std::getline(in, word, ','), out << word; break;
                    case 13: in.getline(buffer, 5), out << buffer << in.gcount(); break;
                    case 14: out << in.get() << in.peek() << in.gcount(), in.ignore(2); break;
                    default: in >> std::noskipws >> c, in.unget(), in >> std::ws, out << c << in.tellg(); break;
                    }
                    seen += out.str() + ";";
                }
                show(seen, in);
            }
        }
    }
}

static void other_uses() {
    std::stringstream both;
    both << 1 << ' ' << 2.5 << ' ' << "three";
    int i;
    double d;
    std::string s;
    both >> i >> d >> s;
    std::printf("%d %g %s %d\n", i, d, s.c_str(), both.eof());
    both.clear();
    both.str("4 5 6");
    std::vector<int> all{std::istream_iterator<int>(both), std::istream_iterator<int>()};
    std::ostringstream joined;
    std::copy(all.begin(), all.end(), std::ostream_iterator<int>(joined, ", "));
    joined.seekp(0);
    joined << 'X';
    std::printf("%zu %s %d\n", all.size(), joined.str().c_str(), static_cast<int>(joined.tellp()));
    std::istringstream numbers("1 x");
    numbers.exceptions(std::ios::failbit);
    try {
        numbers >> i >> i;
        std::printf("no exception\n");
    } catch (const std::ios_base::failure &) {
        std::printf("failure, %d\n", numbers.rdstate() == std::ios::failbit);
    }
    std::ostringstream broken;
    broken.setstate(std::ios::failbit);
    broken << "lost";
    show(broken.str(), broken);
    broken.setstate(std::ios::badbit);
    broken << 1;
    show(broken.str(), broken);
    std::ofstream closed;
    closed << 1;
    std::printf("%d %d\n", closed.is_open(), closed.bad());
    std::ostream copy(std::cout.rdbuf());
    std::printf("%d %d\n", copy.good(), static_cast<int>(std::cout.precision()));
    std::istringstream moved(std::istringstream("9"));
    moved >> i;
    std::wostringstream wide;
    wide << L"w" << 5 << std::setw(3) << 'c';
    std::printf("%d %ls\n", i, wide.str().c_str());
    std::error_code code = std::make_error_code(std::errc::invalid_argument);
    std::printf("%d %s %d\n", code.value(), code.category().name(), code == std::errc::invalid_argument);
    std::error_code system(2, std::system_category());
    std::printf("%d %s\n", system == std::errc::no_such_file_or_directory, system.message().c_str());
}

static std::filesystem::path random_path() {
    static const char *const parts[] = {"/", "//", "a", "b.c", ".", "..", ".x", "d.e.f", "/", "/", "g.", "..h", ""};
    std::string text;
    for (unsigned n = random_below(6); n > 0; n--)
        text += parts[random_below(sizeof parts / sizeof *parts)];
    // Such paths are not modelled.
    while (text.compare(0, 2, "//") == 0)
        text.erase(0, 1);
    return text;
}

static void paths() {
    for (int i = 0; i < 3000; i++) {
        std::filesystem::path p = random_path(), q = random_path();
        std::ostringstream out;
        out << p << q << ' ' << p / q << ' ' << (p /= q) << ' ' << p.filename() << p.stem() << p.extension();
        out << p.parent_path() << p.relative_path() << p.root_path() << p.root_name() << p.root_directory();
        out << p.has_filename() << p.has_stem() << p.has_extension() << p.has_parent_path() << p.has_relative_path();
        out << p.has_root_path() << p.is_absolute() << p.is_relative() << p.empty() << ' ';
        p = random_path();
        out << (p == q) << (p != q) << (p < q) << (p > q) << (p <= q) << (p >= q) << ' ' << std::string(p);
        std::filesystem::path name = p, extension = p, none = p;
        if (p.has_filename())
            out << name.replace_filename(q) << extension.replace_extension(q) << none.replace_extension();
        out << p.remove_filename() << ' ' << (p /= q) << p.native() << q.c_str();
        std::filesystem::path moved = std::move(q);
        out << moved << (p = "x/y") << p.string();
        std::puts(out.str().c_str());
    }
}

int main() {
    write_values();
    read_values();
    other_uses();
    paths();
}
