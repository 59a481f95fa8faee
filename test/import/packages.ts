// Imports the module in its argument, and prints the loaded packages and the loaded sources of the SDK as JSON.
import module, { createRequire } from 'node:module'
import { argv } from 'node:process'
import { MessageChannel } from 'node:worker_threads'

const urls: string[] = []
/** Loaded last, so that the loads before it are known. */
const last = 'data:text/javascript,'

type Load = (url: string, context: object, next: (url: string, context: object) => unknown) => unknown

/** Node 22 and later have it. */
const { registerHooks } = module as { registerHooks?: (hooks: { load: Load }) => void }

/** Records loads from now on. Resolves when the last one is known. */
const allReported = registerHooks ? followHere(registerHooks) : followFromThread()

async function followHere(register: NonNullable<typeof registerHooks>): Promise<void> {
  register({
    load: (url, context, next) => {
      urls.push(url)
      return next(url, context)
    },
  })
}

/** Node 20 runs hooks in a thread of their own. Their messages arrive in the order of the loads. */
function followFromThread(): Promise<void> {
  const hooks = `
  let port
  export const initialize = (given) => { port = given }
  export const load = (url, context, next) => { port.postMessage(url); return next(url, context) }
  `
  const { port1, port2 } = new MessageChannel()
  module.register(`data:text/javascript,${encodeURIComponent(hooks)}`, { data: port2, transferList: [port2] })
  return new Promise((resolve) => {
    port1.on('message', (url: string) => (url === last ? resolve() : urls.push(url)))
  })
}

const { cache } = createRequire(import.meta.url)
const earlier = new Set(Object.keys(cache))
await import(argv[2] ?? '')
await import(last)
await allReported
const files = [...urls, ...Object.keys(cache).filter((file) => !earlier.has(file))]
const names = files.map((file) => /.*\/node_modules\/((@[^/]+\/)?[^/]+)\//.exec(file)?.[1])
const sources = urls.flatMap((url) => /\/(sdk\/(?!.*\/node_modules\/).*)$/.exec(url)?.[1] ?? [])
const packages = [...new Set(names)].filter((name) => name !== undefined).sort()
console.log(JSON.stringify({ packages, sources }))
process.exit(0)
