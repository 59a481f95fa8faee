// Imports the module in its argument, and prints the loaded packages as a JSON list.
import { createRequire, register } from 'node:module'
import { argv } from 'node:process'
import { MessageChannel } from 'node:worker_threads'

const hooks = `
let port
export const initialize = (given) => { port = given }
export const load = (url, context, next) => { port.postMessage(url); return next(url, context) }
`
const { port1, port2 } = new MessageChannel()
const urls: string[] = []
/** Loaded last; messages of the hooks' thread arrive in the order of the loads. */
const last = 'data:text/javascript,'
const allReported = new Promise<void>((resolve) => {
  port1.on('message', (url: string) => (url === last ? resolve() : urls.push(url)))
})
register(`data:text/javascript,${encodeURIComponent(hooks)}`, { data: port2, transferList: [port2] })

const { cache } = createRequire(import.meta.url)
const earlier = new Set(Object.keys(cache))
await import(argv[2] ?? '')
await import(last)
await allReported
const files = [...urls, ...Object.keys(cache).filter((file) => !earlier.has(file))]
const names = files.map((file) => /.*\/node_modules\/((@[^/]+\/)?[^/]+)\//.exec(file)?.[1])
console.log(JSON.stringify([...new Set(names)].filter((name) => name !== undefined).sort()))
process.exit(0)
