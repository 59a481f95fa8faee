// The program of the Pods that copy a volume. `npm run module-child` turns it into one text.
import process from 'node:process'
import { fetchAll } from './fetch.js'
import { serve } from './serve.js'
import { readSettings, reportTo } from './settings.js'

const settings = readSettings(process.env)
try {
  reportTo(settings.report, await (settings.role === 'serve' ? serve(settings) : fetchAll(settings)))
  process.exit(0)
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  console.error(message)
  reportTo(settings.report, { error: message })
  process.exit(1)
}
