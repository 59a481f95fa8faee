import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { misspeltField, pluginFields, specFields } from './misspelt-field.js'

void t.test('a slip is found, and a name that resembles no field is not', (t) => {
  const problem = (spec: object) => misspeltField({ metadata: { name: 'db' }, spec } as never)
  t.equal(problem({ instances: 1, plugins: [{ name: 'a', parameters: {} }] }), undefined)
  t.equal(problem({ imageNme: 'a' }), 'spec.imageNme; did you mean imageName?')
  t.equal(problem({ plugins: [{ name: 'a' }, { nmae: 'b' }] }), 'spec.plugins[1].nmae; did you mean name?')
  t.equal(problem({ quorumRules: {}, dns: {}, plugins: 'none' }), undefined)
  t.equal(problem({ plugins: [null, 'a'] }), undefined)
  t.end()
})

const folder = process.env.CNPG_OPERATOR
const skip = folder === undefined && 'the definitions of CloudNativePG are not here'

void t.test('the fields are those of the definition of CloudNativePG', { skip }, (t) => {
  const file = join(folder ?? '', 'definitions/postgresql.cnpg.io_clusters.yaml')
  const { spec } = parse(readFileSync(file, 'utf8')).spec.versions[0].schema.openAPIV3Schema.properties
  t.strictSame(Object.keys(spec.properties).sort(), [...specFields].sort())
  t.strictSame(Object.keys(spec.properties.plugins.items.properties).sort(), [...pluginFields].sort())
  t.end()
})
