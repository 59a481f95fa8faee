import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, release, totalmem } from 'node:os'
import { dirname } from 'node:path'
import * as z from 'zod'

const measurement = z.object({
  /** The start of the run, in UTC. */
  time: z.string(),
  /** The measured contestant: a name in `plan.ts`. */
  mirror: z.string(),
  /** A name with its numbers, such as `cold 10000`; `README.md` describes the scenarios. */
  scenario: z.string(),
  run: z.number(),
  /** The machine's one-minute load average just before the run. */
  load: z.number(),
  /** Bytes of data per object, if not 1024. */
  payload: z.number().optional(),
  /** Milliseconds added to each round trip. */
  delay_ms: z.number().optional(),
  metrics: z.record(z.string(), z.number()).optional().nullable(),
  error: z.string().optional(),
})

/** One run of one scenario: a line that `go/measure` prints. */
export type Measurement = z.infer<typeof measurement>

const session = z.object({
  commands: z.array(z.string()),
  machine: z.object({
    cpu: z.string(),
    cores: z.number(),
    memoryGiB: z.number(),
    kernel: z.string(),
    node: z.string(),
    go: z.string(),
    kubernetes: z.string(),
  }),
  /** The runs that were removed, and why. */
  left_out: z.string().optional(),
  measurements: z.array(measurement),
})

/** The measurements on one machine, one after the other. Figures of one session may be compared. */
export type Session = z.infer<typeof session>

/** Parses one line of `go/measure`. Throws for other text. */
export function readMeasurement(line: string): Measurement {
  return measurement.parse(JSON.parse(line))
}

/** Reads the session of a file, or creates a new one if the file does not exist. */
export function openSession(file: string): Session {
  return existsSync(file)
    ? session.parse(JSON.parse(readFileSync(file, 'utf8')))
    : { commands: [], machine: machine(), measurements: [] }
}

/** Writes a session, one measurement per line. */
export function saveSession(file: string, { measurements, ...about }: Session): void {
  const head = JSON.stringify(about, null, 2).slice(0, -2)
  const lines = measurements.map((each) => `    ${JSON.stringify(each)}`)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${head},\n  "measurements": [\n${lines.join(',\n')}\n  ]\n}\n`)
}

/** The machine's one-minute load average. */
export function load(): number {
  return loadavg()[0] ?? 0
}

function machine(): Session['machine'] {
  const goMod = readFileSync('test/control-plane/go.mod', 'utf8')
  const all = cpus()
  return {
    cpu: all[0]?.model ?? 'unknown',
    cores: all.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    kernel: release().split('-')[0] ?? '',
    node: process.version,
    go: goVersion(),
    kubernetes: /k8s\.io\/kubernetes (v\S+)/.exec(goMod)?.[1] ?? 'unknown',
  }
}

function goVersion(): string {
  try {
    return execFileSync('go', ['env', 'GOVERSION'], { encoding: 'utf8' }).trim()
  } catch {
    return 'none'
  }
}
