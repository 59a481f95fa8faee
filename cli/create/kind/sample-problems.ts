import { PermanentError } from '../../../sdk/engine/kube/error.js'
import { checkReferences } from '../../../sdk/vcluster/syncer/references/check-references.js'
import { type References, ruleTree } from '../../../sdk/vcluster/syncer/references/reference-rules.js'
import { type SampleProblem, SampleTrial } from '../sample/sample-trial.js'
import type { PluginDesign } from './plugin-design.js'

/** The problems of a kind's sample and its change: errors of an API server, and fields that prevent a copy. */
export async function sampleProblems({
  kind,
  direction,
}: Pick<PluginDesign, 'kind' | 'direction'>): Promise<readonly SampleProblem[]> {
  const { resource, content, change, source, problems } = kind
  const rejected = direction === 'up' || source.from !== 'definition' ? [] : rejectedFields(kind)
  if (problems) return [...problems, ...rejected]
  const { problems: serverProblems = [] } = await SampleTrial.with({ resource }, (trial) =>
    trial.tryObject(content, change),
  )
  return [...serverProblems, ...rejected]
}

/** All required fields that a reference rule rejects, for which the user must decide. */
function rejectedFields({ content, references = [] }: PluginDesign['kind']): SampleProblem[] {
  const rules: References = Object.assign({}, ...references.map(({ rules }) => rules))
  const problems: SampleProblem[] = []
  for (
    let problemField = rejectedField(content, rules);
    problemField;
    problemField = rejectedField(content, { ...rules, ...rulesThatAllow(problems) })
  ) {
    if (problems.some(({ field }) => field === problemField?.field)) break
    problems.push(problemField)
  }
  return problems
}

/** The first field of a sample that a rule rejects; undefined if there is none. */
function rejectedField(content: object, rules: References): SampleProblem | undefined {
  try {
    checkReferences({ metadata: { name: 'sample' }, ...content }, ruleTree(rules, 'the sample'))
    return undefined
  } catch (error) {
    if (!(error instanceof PermanentError)) throw error
    const [field = '', ...reason] = error.message.split(' ')
    return { field, reason: reason.join(' ') }
  }
}

/** Rules that allow the fields of problems, so that the next field is found. */
const rulesThatAllow = (problems: readonly SampleProblem[]): References =>
  Object.fromEntries(problems.map(({ field }) => [field.replaceAll(/\[\d+\]/g, '[*]'), 'plain']))
