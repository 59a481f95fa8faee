import { PermanentError } from '../../../sdk/kube/error.js'
import { checkReferences } from '../../../sdk/syncer/references/check-references.js'
import { type References, ruleTree } from '../../../sdk/syncer/references/reference-rules.js'
import { type SampleProblem, SampleTrial } from '../sample/sample-trial.js'
import type { PluginDesign } from './plugin-design.js'

/**
 * What is wrong with the sample of a kind, or with its change: everything that an API server says against it, and what
 * would keep it from being copied. Empty when all is well.
 */
export async function sampleProblems({
  kind,
  direction,
}: Pick<PluginDesign, 'kind' | 'direction'>): Promise<readonly SampleProblem[]> {
  const { resource, content, change, source, problems } = kind
  const uncopied = direction === 'up' || source.from !== 'definition' ? [] : uncopiedOf(kind)
  if (problems) return [...problems, ...uncopied]
  const { problems: refused = [] } = await SampleTrial.with({ resource }, (trial) =>
    trial.tries(content, change),
  )
  return [...refused, ...uncopied]
}

/** Rules that refuse what the schema asks for are the person's to decide; every one is found, not the first alone. */
function uncopiedOf({ content, references = [] }: PluginDesign['kind']): SampleProblem[] {
  const rules: References = Object.assign({}, ...references.map(({ rules }) => rules))
  const problems: SampleProblem[] = []
  for (
    let found = uncopied(content, rules);
    found;
    found = uncopied(content, { ...rules, ...seen(problems) })
  ) {
    if (problems.some(({ field }) => field === found?.field)) break
    problems.push(found)
  }
  return problems
}

function uncopied(content: object, rules: References): SampleProblem | undefined {
  try {
    checkReferences({ metadata: { name: 'sample' }, ...content }, ruleTree(rules))
    return undefined
  } catch (error) {
    if (!(error instanceof PermanentError)) throw error
    const [field = '', ...reason] = error.message.split(' ')
    return { field, reason: reason.join(' ') }
  }
}

const seen = (problems: readonly SampleProblem[]): References =>
  Object.fromEntries(problems.map(({ field }) => [field.replaceAll(/\[\d+\]/g, '[*]'), 'plain']))
