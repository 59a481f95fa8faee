/**
 * Preload of a plugin's process that this command starts. The process exits with its parent, and sends an uncaught
 * error to the parent as a message instead of printing a stack trace.
 */
import { url } from 'node:inspector'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { describeFailure } from './failure.js'
import { type HeartbeatMessage, heartbeatMs } from './heartbeat.js'

process.on('disconnect', () => process.exit(1))
// The channel does not keep a finished plugin alive.
process.channel?.unref()

const beat = () => {
  const heartbeat: HeartbeatMessage = { heartbeat: true, isDebugged: url() !== undefined }
  if (process.connected) process.send?.(heartbeat)
}
beat()
setInterval(beat, heartbeatMs).unref()

process.on('uncaughtException', (error: unknown) => {
  const exit = () => process.exit(1)
  if (process.send === undefined || !process.connected) exit()
  else process.send(describeFailure(error, process.env.VCLUSTER_PLUGIN_KINDS ?? process.argv[1]), exit)
})

// As in a bundle: inside a vcluster, what the program prints before `init` must not reach standard output.
const preload = preloadOf(process.argv[1] ?? '')
if (preload !== undefined) await import(pathToFileURL(preload).href)

/**
 * The preload of the program's own copy of the SDK, to which `init` belongs; undefined for a program without the SDK.
 */
function preloadOf(program: string): string | undefined {
  try {
    return createRequire(program).resolve('vcluster-plugin-sdk/preload')
  } catch {
    return undefined
  }
}
