import t from 'tap'
import { chartOfFiles } from '../chart/chart-of-files.js'
import { crdsFilesOf } from './crds-files.js'

void t.test('files in crds/ are named as Helm names them, those of subcharts by each alias', async (t) => {
  const texts = {
    'Chart.yaml':
      'apiVersion: v2\nname: web\nversion: 1.0.0\ndependencies: [{name: db}, {name: db, alias: cache}]\n',
    'crds/a.yaml': '',
    'templates/crds/a.yaml': '',
    'charts/db/Chart.yaml': 'apiVersion: v2\nname: db\nversion: 1.0.0\n',
    'charts/db/crds/b.yaml': '',
    'charts/db/charts/deep/Chart.yaml': 'apiVersion: v2\nname: deep\nversion: 1.0.0\n',
    'charts/db/charts/deep/crds/c.yaml': '',
  }
  const files = Object.entries(texts).map(([name, text]) => ({ name, data: Buffer.from(text) }))
  t.strictSame(crdsFilesOf(await chartOfFiles(files, 'web')), [
    'web/crds/a.yaml',
    'web/charts/db/crds/b.yaml',
    'web/charts/cache/crds/b.yaml',
    'web/charts/db/charts/deep/crds/c.yaml',
    'web/charts/cache/charts/deep/crds/c.yaml',
  ])
})
