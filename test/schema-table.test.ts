// Compares the table of built-in types with the Go types that it was generated from.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { kindTypes, structFields } from '../apiserver/schema/table.js'
import { buildGoPrograms } from './clients/go-program.js'

// The programs are built if they are not there, which takes minutes.
t.setTimeout(600_000)
t.comment('timeout=600000')

const { folder, missing } = await buildGoPrograms()

void t.test('the table equals the Go types', { skip: missing }, async (t) => {
  const { stdout } = await promisify(execFile)(join(folder, 'schema-table'), { maxBuffer: 2 ** 24 })
  const rows = [...stdout.matchAll(/^ {2}'(?<name>.+)': '(?<row>.*)',$/gm)]
  const made = Object.fromEntries(rows.map(({ groups }) => [groups?.name, groups?.row]))
  t.same(made, { ...kindTypes, ...structFields }, 'run test/go/schema-table/generate')
})
