#include "CCurl.h"

#include <dlfcn.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

// What libcurl tells of a transfer; its shape is part of its interface.
struct message {
    int kind;
    void *easy;
    union {
        void *other;
        int code;
    } data;
};

// An address that libcurl is about to connect to; its shape is part of its interface.
struct address {
    int family;
    int type;
    int protocol;
    unsigned int length;
    struct sockaddr address;
};

static const int kind_ended = 1;
static const long everything = 3;

static int (*global_init)(long);
static const char *(*version)(void);
static const char *(*easy_strerror)(int);
static void *(*easy_init)(void);
static void (*easy_cleanup)(void *);
static int (*easy_setopt)(void *, int, ...);
static int (*easy_getinfo)(void *, int, ...);
static void *(*slist_append)(void *, const char *);
static void (*slist_free_all)(void *);
static void *(*multi_init)(void);
static int (*multi_add_handle)(void *, void *);
static int (*multi_remove_handle)(void *, void *);
static int (*multi_perform)(void *, int *);
static int (*multi_poll)(void *, void *, unsigned int, int, int *);
static int (*multi_wakeup)(void *);
static struct message *(*multi_info_read)(void *, int *);

static const struct {
    const char *name;
    // A function's address is stored as what `dlsym` returns, which POSIX allows.
    void *place;
} symbols[] = {
    {"curl_global_init", &global_init},
    {"curl_version", &version},
    {"curl_easy_strerror", &easy_strerror},
    {"curl_easy_init", &easy_init},
    {"curl_easy_cleanup", &easy_cleanup},
    {"curl_easy_setopt", &easy_setopt},
    {"curl_easy_getinfo", &easy_getinfo},
    {"curl_slist_append", &slist_append},
    {"curl_slist_free_all", &slist_free_all},
    {"curl_multi_init", &multi_init},
    {"curl_multi_add_handle", &multi_add_handle},
    {"curl_multi_remove_handle", &multi_remove_handle},
    {"curl_multi_perform", &multi_perform},
    {"curl_multi_poll", &multi_poll},
    {"curl_multi_wakeup", &multi_wakeup},
    {"curl_multi_info_read", &multi_info_read},
};

ccurl_outcome ccurl_load(void) {
    // The plain build and that of Debian and Ubuntu with GnuTLS, which is often there without the other.
    static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};
    void *library = NULL;
    for (size_t index = 0; index < sizeof names / sizeof *names && !library; index++) {
        library = dlopen(names[index], RTLD_LAZY | RTLD_LOCAL);
    }
    if (!library) return ccurl_absent;
    for (size_t index = 0; index < sizeof symbols / sizeof *symbols; index++) {
        void *symbol = dlsym(library, symbols[index].name);
        if (!symbol) return ccurl_too_old;
        memcpy(symbols[index].place, &symbol, sizeof symbol);
    }
    return global_init(everything) == 0 ? ccurl_loaded : ccurl_too_old;
}

const char *ccurl_version(void) { return version(); }

const char *ccurl_sentence(int code) { return easy_strerror(code); }

void *ccurl_easy_make(void) { return easy_init(); }

void ccurl_easy_free(void *easy) { easy_cleanup(easy); }

int ccurl_set_number(void *easy, int option, long value) { return easy_setopt(easy, option, value); }

int ccurl_set_text(void *easy, int option, const char *value) { return easy_setopt(easy, option, value); }

int ccurl_set_pointer(void *easy, int option, void *value) { return easy_setopt(easy, option, value); }

int ccurl_set_receiver(void *easy, int option, size_t (*receiver)(char *, size_t, size_t, void *)) {
    return easy_setopt(easy, option, receiver);
}

static bool (*address_check)(void *, const unsigned char *, size_t);

static int open_socket(void *context, int purpose, struct address *address) {
    (void)purpose;
    struct sockaddr_in in;
    struct sockaddr_in6 in6;
    const unsigned char *bytes = NULL;
    size_t count = 0;
    if (address->family == AF_INET && address->length >= sizeof in) {
        memcpy(&in, &address->address, sizeof in);
        bytes = (const unsigned char *)&in.sin_addr;
        count = sizeof in.sin_addr;
    } else if (address->family == AF_INET6 && address->length >= sizeof in6) {
        memcpy(&in6, &address->address, sizeof in6);
        bytes = (const unsigned char *)&in6.sin6_addr;
        count = sizeof in6.sin6_addr;
    }
    if (!bytes || !address_check(context, bytes, count)) return -1;
    return socket(address->family, address->type | SOCK_CLOEXEC, address->protocol);
}

int ccurl_check_addresses(void *easy, bool (*check)(void *, const unsigned char *, size_t), void *context) {
    enum { open_socket_function = 20163, open_socket_context = 10164 };
    address_check = check;
    int result = easy_setopt(easy, open_socket_function, open_socket);
    return result ? result : easy_setopt(easy, open_socket_context, context);
}

const char *ccurl_text(void *easy, int information) {
    const char *text = NULL;
    return easy_getinfo(easy, information, &text) == 0 ? text : NULL;
}

void *ccurl_list_append(void *list, const char *text) { return slist_append(list, text); }

void ccurl_list_free(void *list) { slist_free_all(list); }

void *ccurl_multi_make(void) { return multi_init(); }

int ccurl_multi_add(void *multi, void *easy) { return multi_add_handle(multi, easy); }

int ccurl_multi_remove(void *multi, void *easy) { return multi_remove_handle(multi, easy); }

int ccurl_multi_perform(void *multi) {
    int running = 0;
    return multi_perform(multi, &running);
}

int ccurl_multi_wait(void *multi, int milliseconds) {
    int ready = 0;
    return multi_poll(multi, NULL, 0, milliseconds, &ready);
}

int ccurl_wake_up(void *multi) { return multi_wakeup(multi); }

void *ccurl_multi_next_ended(void *multi, int *code) {
    int left = 0;
    struct message *message;
    while ((message = multi_info_read(multi, &left))) {
        if (message->kind != kind_ended) continue;
        *code = message->data.code;
        return message->easy;
    }
    return NULL;
}
