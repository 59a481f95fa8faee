// The tests of the transport with servers that do not speak HTTP/2. The query makes it a module of its own.
const withoutHttp2 = './transport.test.js?http1'
await import(withoutHttp2)

export {}
