// Tests that Go decodes the responses of hooks to the objects that the hooks returned, as vcluster does.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { parseJson, stringifyJson } from '../../sdk/engine/kube/json.js'
import { encodeForGoUnmarshal } from '../../sdk/vcluster/hook/encode-for-go-unmarshal.js'
import { decodeGo } from '../../simulator/go-json/go-decode.js'
import { encodeGo } from '../../simulator/go-json/go-encode.js'
import { goType } from '../../simulator/go-json/go-type.js'
import { buildGoPrograms } from '../clients/go-program.js'
import { isWholeRun } from '../whole-run.js'
import { edits } from './objects.js'
import { scribbled } from './scribbled.js'

t.setTimeout(600_000)

const { folder, missing } = await buildGoPrograms()

interface Verdict {
  got?: unknown
  want?: unknown
  error?: string
}

/** Each run draws others, so that a third of them at each change finds the same over time. */
const numRuns = isWholeRun ? 5000 : 1700

void t.test('every edit arrives as the hook returned it', { skip: missing, timeout: 590_000 }, async (t) => {
  const samples = fc.sample(edits, numRuns)
  const wrong = await judged(samples, encodeForGoUnmarshal).then((verdicts) => verdicts.filter(isWrong))
  t.same(wrong.slice(0, 3), [], `${wrong.length} of ${numRuns} arrive with differences`)
})

void t.test('plain JSON would not be sufficient', { skip: missing, timeout: 590_000 }, async (t) => {
  const samples = fc.sample(edits, 200)
  const verdicts = await judged(samples, (_, after) => stringifyJson(after))
  t.ok(verdicts.filter(isWrong).length > 20)
})

void t.test(
  'the simulated vcluster decodes responses as Go does, even with repeated members',
  { skip: missing, timeout: 590_000 },
  async (t) => {
    const turns = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 40 })
    const samples = fc.sample(fc.tuple(edits, turns), numRuns)
    const answers = samples.map(([{ before, after }, turns]) => scribbled(after, before, turns))
    let at = 0
    const verdicts = await judged(
      samples.map(([edit]) => edit),
      () => answers[at++] ?? '',
    )
    const wrong = samples.flatMap(([{ kind, before }], i) => {
      const ours = taken(kind, stringifyJson(before), answers[i] ?? '')
      const { got, error } = verdicts[i] ?? {}
      const theirs = error === undefined ? stringifyJson(got) : 'refused'
      return ours === theirs ? [] : [{ before, answer: answers[i], ours, theirs, error }]
    })
    t.same(wrong.slice(0, 2), [], `${wrong.length} of ${numRuns} are decoded differently`)
    t.ok(verdicts.filter(({ error }) => error !== undefined).length < numRuns / 2, 'most are valid')
  },
)

/** The object of a vcluster after a response, or `refused`. */
function taken(kind: string, before: string, answer: string): string {
  const apiVersion = kind === 'Ingress' ? 'networking.k8s.io/v1' : 'v1'
  const type = goType({ apiVersion, kind })
  if (!type) return 'unknown'
  try {
    return stringifyJson(encodeGo(type, decodeGo(type, answer, decodeGo(type, before))))
  } catch {
    return 'refused'
  }
}

async function judged(
  samples: readonly { kind: string; before: object; after: object }[],
  answer: (before: unknown, after: unknown) => string,
): Promise<Verdict[]> {
  const input = samples
    .map((edit) => stringifyJson({ ...edit, answer: answer(edit.before, edit.after) }))
    .join('\n')
  const { stdout } = spawnSync(join(folder, 'hook-answers'), { input, encoding: 'utf8', maxBuffer: 2 ** 30 })
  const verdicts = stdout.trim().split('\n')
  t.equal(verdicts.length, samples.length)
  return verdicts.map((line) => parseJson(line) as Verdict)
}

const isWrong = ({ got, want, error }: Verdict) =>
  error !== undefined || stringifyJson(got) !== stringifyJson(want)
