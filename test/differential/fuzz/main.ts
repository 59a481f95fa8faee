// Sends random requests to the embedded server and to a real kube-apiserver, and prints the differences by
// class.
import { parseArgs } from 'node:util'
import { differencesIn } from '../compare.js'
import { severities } from './classify.js'
import type { FuzzSequence } from './fuzz-request.js'
import { playInLockstep } from './lockstep.js'
import { formatClass, summary } from './report.js'
import { search } from './search.js'
import { type Servers, startServers } from './servers.js'
import { shrink } from './shrink.js'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    sequences: { type: 'string', default: '500' },
    kinds: { type: 'string' },
    shrink: { type: 'boolean', default: false },
    known: { type: 'boolean', default: false },
  },
})

async function fuzz(servers: Servers): Promise<void> {
  const kinds = values.kinds === undefined ? undefined : new RegExp(values.kinds)
  const result = await search(servers, {
    seed: Number(values.seed),
    sequences: Number(values.sequences),
    kinds,
    hasAdmission: true,
  })
  for (const severity of severities) {
    for (const found of result.classes.filter((each) => each.severity === severity)) {
      if (found.expected !== undefined && !values.known) continue
      const sequence = values.shrink ? await shrink(servers, found.sequence, found.key) : found.sequence
      console.log(`${formatClass(found, sequence)}\n`)
    }
  }
  console.log(summary(result))
}

async function replay(servers: Servers, text: string): Promise<void> {
  const { differences } = await playInLockstep(servers, JSON.parse(text) as FuzzSequence)
  for (const { request, embedded, real } of differences) {
    console.log([`${request.method} ${request.path}`, ...differencesIn(embedded, real)].join('\n'))
  }
  console.log(`${differences.length} differences`)
}

const servers = await startServers()
try {
  const { FUZZ_REPLAY } = process.env
  await (FUZZ_REPLAY === undefined ? fuzz(servers) : replay(servers, FUZZ_REPLAY))
} finally {
  await servers.close()
}
