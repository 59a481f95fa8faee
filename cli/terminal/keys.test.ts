import { PassThrough } from 'node:stream'
import t from 'tap'
import { handleKeys } from './keys.js'

void t.test(
  'on a terminal a letter and Enter run an action, and any other line lists the keys',
  async (t) => {
    const input = Object.assign(new PassThrough(), { isTTY: true })
    const seen: string[] = []
    const keys = {
      r: { label: 'restart the plugin', run: () => void seen.push('restarted') },
      f: { label: 'show TEXT', argument: 'TEXT', run: (text: string) => void seen.push(`filter ${text}`) },
    }
    const end = handleKeys(input, keys, (text) => seen.push(text))
    for (const line of ['r', ' R ', '', 'f A b ', 'f', 'r now']) input.write(`${line}\n`)
    await new Promise((resolve) => setImmediate(resolve))
    const help = ['r + Enter  restart the plugin', 'f TEXT + Enter  show TEXT']
    t.strictSame(seen, ['restarted', 'restarted', 'filter A b', 'filter ', ...help])
    end()
    handleKeys(new PassThrough(), keys, () => t.fail('unexpected key'))()
  },
)
