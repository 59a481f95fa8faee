import type { Client } from '../../sdk/engine/client/client.js'
import { type CustomResourceDefinition, customResourceDefinitions } from '../../sdk/engine/kube/builtin.js'

/** Creates the missing definitions and waits until their kinds are served, which is later than `Established`. */
export async function serveDefinitions(
  client: Client,
  definitions: readonly CustomResourceDefinition[],
): Promise<void> {
  const { items } = await client.list(customResourceDefinitions)
  const installedNames = new Set(items.map(({ metadata }) => metadata.name))
  for (const definition of definitions) {
    if (installedNames.has(definition.metadata.name)) continue
    await client.create(customResourceDefinitions, definition)
    for (const { name, served } of definition.spec.versions)
      if (served) await untilServed(client, definition, name)
  }
}

async function untilServed(
  client: Client,
  { spec }: CustomResourceDefinition,
  version: string,
): Promise<void> {
  const { group, names, scope } = spec
  const namespaced = scope === 'Namespaced'
  const resource = { group, version, kind: names.kind, plural: names.plural, namespaced }
  const isServed = () =>
    client.list(resource, { limit: 1 }).then(
      () => true,
      () => false,
    )
  while (!(await isServed())) await new Promise((resolve) => setImmediate(resolve))
}
