// What hooks return, in the form that it is sent to vcluster, decoded by Go as vcluster does it.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { layOver } from '../../sdk/hook/lay-over.js'
import { parseJson, stringifyJson } from '../../sdk/kube/json.js'
import { buildGoPrograms } from '../clients/go-program.js'
import { edits } from './objects.js'

t.setTimeout(600_000)

const { folder, missing } = await buildGoPrograms()

interface Verdict {
  got?: unknown
  want?: unknown
  error?: string
}

const numRuns = 5000

void t.test('every edit arrives as the hook returned it', { skip: missing, timeout: 590_000 }, async (t) => {
  const samples = fc.sample(edits, numRuns)
  const wrong = await judged(samples, layOver).then((verdicts) => verdicts.filter(isWrong))
  t.same(wrong.slice(0, 3), [], `${wrong.length} of ${numRuns} arrive otherwise`)
})

void t.test('plain JSON would not do', { skip: missing, timeout: 590_000 }, async (t) => {
  const samples = fc.sample(edits, 200)
  const verdicts = await judged(samples, (_, after) => stringifyJson(after))
  t.ok(verdicts.filter(isWrong).length > 100)
})

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
