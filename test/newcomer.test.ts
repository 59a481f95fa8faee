// Tests the script that plays a newcomer with the README as it is. The script itself takes minutes: `npm run newcomer`.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { nextCommands, readmeCommands, table, withTable } from '../scripts/newcomer.js'
import { root } from './dev-run.js'

void t.test('the commands come from the text of the README, whose figures have a place', async (t) => {
  const text = await readFile(join(root, 'README.md'), 'utf8')
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  t.strictSame(readmeCommands(text), {
    pack: 'npm ci && npm pack',
    create: `npx --yes ./vcluster-plugin-sdk-${version}.tgz create ../my-plugin`,
  })
  t.throws(
    () => readmeCommands('## Write your own\n\n```sh\nnpm install\n```\n'),
    /does not begin with a command/,
  )
  const figures = table([{ program: 'an operator', create: 1000, install: 2000, dev: 3040, test: 4000 }])
  t.match(withTable(text, figures), `<!-- newcomer -->\n${figures}\n<!-- /newcomer -->`)
  t.match(
    figures,
    /^\| {2}\| `create` .*\n\|---\|---\|---\|---\|---\|---\|\n\| an operator \| 1\.0 s \| 2\.0 s \| 3\.0 s \| 4\.0 s \| 6\.0 s \|$/,
  )
})

void t.test('the commands for a project are those that create prints', async (t) => {
  const printed =
    'x/package.json\n\nNext:\n  cd x\n  npm install\n  npm run dev       # two clusters\n  npm test\n'
  t.strictSame(nextCommands(printed), ['npm install', 'npm run dev', 'npm test'])
  t.strictSame(nextCommands('nothing'), [])
})
