// A sidecar plugin that receives SIGTERM at the step that its environment names, and says what it still does.
import { createPlugin, type LogFields, plugin, silentLogger } from '../sdk/index.js'

let url = ''
const info = (fields: LogFields) => {
  if ('url' in fields) url ||= String(fields.url)
}
const own = process.env.HAS_LOGGER ? createPlugin({ logger: { ...silentLogger, info } }) : plugin
const signal = () => process.kill(process.pid, 'SIGTERM')

if (process.env.STOPS_AT === 'init') setImmediate(signal)
await own.init()
own.register({ name: 'idle' })
const ended = own.start()
if (url) console.log((await fetch(`${url}/readyz`)).status, (await fetch(`${url}/metrics`)).status)
signal()
await ended
console.log('start() resolved')
process.exitCode = 7
