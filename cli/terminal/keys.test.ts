import { PassThrough } from 'node:stream'
import t from 'tap'
import { handleKeys } from './keys.js'

void t.test(
  'on a terminal a letter and Enter run an action, and any other letter lists the keys',
  async (t) => {
    const input = Object.assign(new PassThrough(), { isTTY: true })
    const seen: string[] = []
    const keys = { r: { label: 'restart the plugin', run: () => void seen.push('restarted') } }
    const end = handleKeys(input, keys, (text) => seen.push(text))
    for (const line of ['r', ' R ', '', 'h']) input.write(`${line}\n`)
    await new Promise((resolve) => setImmediate(resolve))
    t.same(seen, ['restarted', 'restarted', 'r + Enter  restart the plugin'])
    end()
    handleKeys(new PassThrough(), keys, () => t.fail('unexpected key'))()
  },
)
