// Tests that each field that the SDK would refuse at run time has a rule in the syncers that `create` writes.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readDefinition } from '../../../sdk/engine/cluster/read-definition.js'
import type { Resource } from '../../../sdk/engine/kube/resource.js'
import { namespacedNaming } from '../../../sdk/vcluster/naming/naming.js'
import type { References } from '../../../sdk/vcluster/syncer/references/reference-rules.js'
import { ReferenceTranslator } from '../../../sdk/vcluster/syncer/references/reference-translator.js'
import { contentSchemas } from './content-schemas.js'
import type { OpenApiSchema } from './json-schema.js'
import { likelyValue } from './likely-value.js'
import { schemaReferences } from './schema-references.js'

const own = join(import.meta.dirname, '../../../test/definitions')
const folders = [own, ...(process.env.REAL_DEFINITIONS ? [process.env.REAL_DEFINITIONS] : [])]
const files = folders.flatMap((folder) =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => join(folder, file)),
)

const naming = namespacedNaming(
  { vclusterName: 'vc', targetNamespace: 'host', currentNamespace: 'host', labelMode: 'reserved' },
  {},
)
const custom: Resource = {
  group: 'example.com',
  version: 'v1',
  kind: 'Any',
  plural: 'anys',
  namespaced: true,
}

/** The field of a sample that has no rule and would be refused; undefined if there is none. */
function refusedWithoutRule(schema: OpenApiSchema): string | undefined {
  const references = schemaReferences(schema)
  // Refused fields are ignored here, so that the check goes on to the others.
  const rules = Object.assign({}, ...references.map((one) => one.rules)) as References
  const allowed = Object.fromEntries(
    Object.entries(rules).map(([path, rule]) => [path, rule === 'refused' ? ('plain' as const) : rule]),
  )
  const sample = Object.fromEntries(
    contentSchemas(schema).map(([name, field]) => [name, likelyValue(field, 12)]),
  )
  try {
    new ReferenceTranslator(custom, naming, allowed).toHost({
      metadata: { namespace: 'a', name: 'a' },
      ...sample,
    })
    return undefined
  } catch (error) {
    const message = String(error)
    return /looks like a reference/.test(message) ? message : undefined
  }
}

void t.test('public definitions have a rule for each field that would be refused', async (t) => {
  for (const file of files) {
    const { spec } = await readDefinition(file)
    for (const { schema } of spec.versions) {
      const found: OpenApiSchema = schema?.openAPIV3Schema ?? {}
      t.ok(contentSchemas(found).length > 0)
      t.equal(refusedWithoutRule(found), undefined, file)
    }
  }
})
