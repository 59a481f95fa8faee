/**
 * Loaded into the plugin's process before the plugin, by `dev` alone: the process ends with `dev`, however `dev`
 * ends, and what it fails with reaches `dev` as a message instead of a stack trace.
 */
import { failureOf } from './failure.js'

process.on('disconnect', () => process.exit(1))
// A plugin that has nothing left to do may end.
process.channel?.unref()

process.on('uncaughtException', (error: unknown) => {
  const end = () => process.exit(1)
  if (process.send === undefined || !process.connected) end()
  else process.send(failureOf(error), end)
})
