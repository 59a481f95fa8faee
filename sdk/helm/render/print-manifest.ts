import { yamlOf } from './code/yaml-of.js'
import type { RenderedObject } from './renderer.js'

/** Objects as the text of YAML documents that a release stores. */
export async function manifestOf(objects: readonly RenderedObject[]): Promise<string> {
  const documents = objects.map(
    async ({ source, object }) => `---\n# Source: ${source}\n${await yamlOf(object)}\n`,
  )
  return (await Promise.all(documents)).join('')
}
