// The code of a program's process. `npm run module-child` makes a text of it, which the operator passes to Node.
import process from 'node:process'
import { protocolNumber } from '../messages.js'
import { OperatorChannel } from './channel.js'
import { sentError } from './errors.js'
import { type AnyProgram, findProgram } from './find-program.js'
import { Managers } from './managers.js'
import { restrictProcess } from './restrict.js'

restrictProcess()
const channel = new OperatorChannel()
let managers: Managers | undefined
// The operator decides when the process ends, also when a terminal interrupts both.
process.on('SIGINT', () => {})
process.on('uncaughtException', (error) => channel.sendLast({ type: 'failed', error: sentError(error) }))
channel.listen((message) => void (message.type === 'start' ? start(message.url) : managers?.receive(message)))

async function start(url: string): Promise<void> {
  try {
    const program = findProgram(await import(url))
    managers = new Managers(program, channel)
    channel.send({ type: 'ready', protocol: protocolNumber, ...descriptionOf(program) })
  } catch (error) {
    const sent = sentError(error)
    channel.sendLast({ type: 'failed', error: { ...sent, message: `${sent.message}${hintOf(sent)}` } })
  }
}

function hintOf({ code }: { code?: unknown }): string {
  const isImport = code === 'ERR_ACCESS_DENIED' || code === 'ERR_MODULE_NOT_FOUND'
  return isImport ? '; a program is one file, with all its imports in it' : ''
}

function descriptionOf({ name, version, sdk, permissions }: AnyProgram) {
  return { name, version, sdk, permissions }
}
