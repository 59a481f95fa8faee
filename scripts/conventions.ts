// `npm run conventions` checks the habits of the project that neither the formatter nor the linter knows: files of at
// most 250 lines, functions of at most 30, comments and Markdown of at most 120 characters, constants in camel case,
// no `export` that nothing uses, and a test file in every room of sdk/. No object literal is spread into another, and
// zod is imported as a namespace. It prints each place, and fails if there is one.
import { stderr, stdout } from 'node:process'
import { fileURLToPath } from 'node:url'
import { capitalConstants } from './conventions/capital-constants.js'
import { longFiles } from './conventions/long-files.js'
import { longFunctions } from './conventions/long-functions.js'
import { needlessExports } from './conventions/needless-exports.js'
import { sourceFiles } from './conventions/source-files.js'
import { spreadLiterals } from './conventions/spread-literals.js'
import { untestedRooms } from './conventions/untested-rooms.js'
import { wideLines } from './conventions/wide-lines.js'
import { zodImports } from './conventions/zod-imports.js'

const files = sourceFiles(fileURLToPath(new URL('..', import.meta.url)))
const checks = [
  longFiles,
  longFunctions,
  wideLines,
  capitalConstants,
  needlessExports,
  spreadLiterals,
  untestedRooms,
  zodImports,
]
const found = checks.flatMap((check) => check(files))
for (const place of found) stderr.write(`${place}\n`)
stdout.write(`${files.length} files, ${found.length} against the conventions\n`)
if (found.length > 0) process.exitCode = 1
