import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import t from 'tap'
import type { FileChart } from '../../chart/chart.js'
import { chartOfFiles } from '../../chart/chart-of-files.js'
import { ChartArchives } from './chart-archives.js'

const chart = (): Promise<FileChart> =>
  chartOfFiles([{ name: 'Chart.yaml', data: Buffer.from('name: a\nversion: 1.0.0\n') }], 'a')

void t.test('of charts that come and go, a few archives are kept, and those that are in use', async (t) => {
  const folder = t.testdir()
  const archives = new ChartArchives(folder)
  const [first, second] = [await chart(), await chart()]
  const path = await archives.use(second, async (file) => file)
  t.equal(await archives.use(second, async (file) => file), path, 'a chart has one archive')
  await archives.use(first, async (file) => {
    for (let count = 0; count < 40; count++) {
      const one = await chart()
      await archives.use(one, async (other) => t.ok(existsSync(other)))
    }
    t.ok(existsSync(file))
    t.notOk(existsSync(path))
  })
  t.ok((await readdir(folder)).length <= 17)
  await archives.use(second, async (file) => t.ok(existsSync(file), 'it is made again'))
})
