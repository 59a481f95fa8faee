/**
 * Preload of a plugin's process that this command starts. The process exits with its parent, and sends an uncaught error to the
 * parent as a message instead of printing a stack trace.
 */
import { failureOf } from './failure.js'

process.on('disconnect', () => process.exit(1))
// The channel does not keep a finished plugin alive.
process.channel?.unref()

process.on('uncaughtException', (error: unknown) => {
  const end = () => process.exit(1)
  if (process.send === undefined || !process.connected) end()
  else process.send(failureOf(error), end)
})
