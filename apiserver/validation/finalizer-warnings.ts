import { labelKeyProblems } from '../../sdk/engine/kube/label-syntax.js'
import { isKnownFinalizer } from './metadata.js'

/** The warnings for new finalizers of a custom resource; `generateWarningsFromObj` of the real server. */
export function finalizerWarnings(finalizers: readonly string[], old: readonly string[] = []): string[] {
  const added = [...new Set(finalizers)].filter((name) => !old.includes(name)).sort()
  return added.flatMap((name) => {
    const problems = [...labelKeyProblems(name), ...(isKnownFinalizer(name) ? [] : [adviceOn(name)])]
    return problems.map((problem) => `metadata.finalizers: "${name}": ${problem}`)
  })
}

function adviceOn(name: string): string {
  const path = name.includes('.') ? ' including a path (/)' : ''
  return `prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`
}
