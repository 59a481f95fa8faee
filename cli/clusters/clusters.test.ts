import { join } from 'node:path'
import t from 'tap'
import { describeFaults, parseClusterFaults } from './faults.js'
import { writeKubeconfigs } from './kubeconfigs.js'

void t.test(
  'faults are parsed in any order and described, and an error quotes the invalid text',
  async (t) => {
    const faults = parseClusterFaults('cut=1m, latency=50ms,errors=2.5%')
    t.strictSame(faults, { latency: 50, errors: 2.5, cut: 60_000 })
    t.equal(
      describeFaults(faults),
      'responses delayed by 50 ms, 2.5% of requests fail, watches cut after 60.0 s',
    )
    t.strictSame(parseClusterFaults('latency=1.5s'), { latency: 1500 })
    const mistakes: [string, RegExp][] = [
      ['', /^--faults must be like latency=50ms,errors=5%,cut=30s, got ""$/],
      ['latency', /^--faults must be like .*, got "latency"$/],
      ['toString=1s', /^--faults must be like .*, got "toString=1s"$/],
      ['latency=1s,latency=2s', /^--faults sets latency twice: latency=1s,latency=2s$/],
      ['latency=50', /^--faults latency must be a duration such as 50ms, 2s or 1m, got "50"$/],
      ['cut=0s', /^--faults cut must be a duration .*, got "0s"$/],
      ['errors=101%', /^--faults errors must be a percentage up to 100%, such as 5%, got "101%"$/],
      ['errors=0.05', /, got "0\.05"$/],
    ]
    for (const [text, message] of mistakes)
      t.throws(() => parseClusterFaults(text), { name: 'UsageError', message })
  },
)

void t.test(
  'kubeconfigs are readable only by their owner, even if the file was readable by others',
  async (t) => {
    const dir = t.testdir({ 'host.kubeconfig': 'old', file: '' })
    const files = await writeKubeconfigs(dir, { virtual: 'v', host: 'h' })
    const { readFileSync, statSync } = await import('node:fs')
    t.strictSame([readFileSync(files.virtual, 'utf8'), readFileSync(files.host, 'utf8')], ['v', 'h'])
    t.strictSame(
      [files.virtual, files.host].map((file) => statSync(file).mode & 0o777),
      [0o600, 0o600],
    )
    await t.rejects(writeKubeconfigs(join(dir, 'file'), files), { code: 'CANNOT_WRITE' })
  },
)
