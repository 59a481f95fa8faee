import t from 'tap'
import { splitOutput } from './split-output.js'

const document = (source: string, name: string) =>
  `---\n# Source: ${source}\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`

void t.test(
  'only files in the crds/ of a chart are definitions, whatever templates and subcharts are called',
  async (t) => {
    const output = [
      document('web/crds/a.yaml', 'own'),
      document('web/charts/crds/crds/deep/a.yaml', 'of-subchart'),
      document('web/templates/crds/a.yaml', 'template'),
      document('web/charts/crds/templates/a.yaml', 'template-of-subchart'),
    ]
    const { crds, objects } = await splitOutput(output.join(''))
    const names = (of: typeof crds) => of.map(({ object }) => object.metadata.name)
    t.strictSame(names(crds), ['own', 'of-subchart'])
    t.strictSame(names(objects), ['template', 'template-of-subchart'])
  },
)
