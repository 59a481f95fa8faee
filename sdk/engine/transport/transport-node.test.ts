// The tests of the transport, with undici and node:http2 instead of the SDK's own HTTP/2 client.
process.env.VCLUSTER_PLUGIN_HTTP_CLIENT = 'node'
await import('./transport.test.js')
