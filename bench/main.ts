// Compares the plugin of the tutorial with its peers between two real API servers: `npm run bench`. See
// README.md.
import { parseArgs } from 'node:util'
import { endBench, measureStep, prepareBench } from './measure.js'
import { parts, usualParts } from './plan.js'
import { writeReport } from './report.js'
import { openSession, type Session, saveSession } from './session.js'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    embedded: { type: 'boolean', default: false },
    runs: { type: 'string', default: '3' },
    into: { type: 'string' },
    under: { type: 'string', default: '' },
    only: { type: 'string' },
    profile: { type: 'string' },
  },
})

/** `bench/results/2026-01-31T1200.json`: one file per session. docs/benchmarks.md shows the last one. */
function newFile(): string {
  return `bench/results/${new Date().toISOString().slice(0, 16).replace(':', '')}.json`
}

async function measureParts(session: Session, file: string): Promise<void> {
  const wanted = positionals.length > 0 ? positionals : usualParts
  const steps = wanted.flatMap((part) => parts[part] ?? unknownPart(part))
  const bench = await prepareBench({
    under: values.under.split(' ').filter(Boolean),
    profiles: values.profile,
  })
  try {
    for (let round = 0; round < Number(values.runs); round++) {
      for (const step of steps) {
        const only = values.only?.split('+') ?? step.contestants
        const contestants = step.contestants.filter((name) => only.includes(name))
        for await (const measurement of measureStep(bench, { ...step, contestants }, round)) {
          session.measurements.push(measurement)
          saveSession(file, session)
          console.log(JSON.stringify(measurement))
        }
      }
    }
  } finally {
    await endBench(bench)
  }
}

function unknownPart(part: string): never {
  throw new Error(`unknown part "${part}"; the parts are ${Object.keys(parts).join(', ')}`)
}

if (values.embedded)
  await import('./embedded.js').then(({ measureEmbedded }) => measureEmbedded(values.profile))
else {
  const file = values.into ?? newFile()
  const session = openSession(file)
  session.commands.push(`npm run bench -- ${process.argv.slice(2).join(' ')}`.replace(/ -- $/, ''))
  await measureParts(session, file)
  writeReport(session, file)
  console.log(`wrote ${file} and docs/benchmarks.md`)
}
