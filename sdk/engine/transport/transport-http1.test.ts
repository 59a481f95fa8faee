// The tests of the transport with servers that do not speak HTTP/2.
process.env.TRANSPORT_TEST_HTTP1 = 'true'
await import('./transport.test.js')
