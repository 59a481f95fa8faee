// Starts one embedded API server in a separate process and prints how long that took; see bench/apiserver.ts.
import { createApiServer } from '../apiserver/api-server.js'

const startedMs = performance.now()
const server = await createApiServer()
await server.listen()
const endedMs = performance.now()
process.send?.({ startMs: endedMs - startedMs, processMs: endedMs })
await server.close()
