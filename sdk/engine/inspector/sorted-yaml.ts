import { formatKey, keyOf } from '../kube/key.js'
import { loadYaml } from '../kube/load-yaml.js'
import type { KubeObject } from '../kube/object.js'

/** An object as YAML, with members by name, so that two objects have theirs in one order; empty if there is none. */
export async function sortedYaml(object: KubeObject | undefined): Promise<string> {
  if (!object) return ''
  // Only who looks at an object pays for a YAML writer.
  const { stringify } = await loadYaml()
  try {
    return stringify(object, { sortMapEntries: true, lineWidth: 0, aliasDuplicateObjects: false })
  } catch {
    // The writer recurses, and an object may be nested deeper than that reaches.
    return `# ${formatKey(keyOf(object))} is nested too deep to be shown\n`
  }
}
