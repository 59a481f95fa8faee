import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FileContent } from '../chart/chart-content.js'

/** The licences that `create` can write, by their SPDX names. */
export const licenses = ['Apache-2.0', 'MIT'] as const

/** One of {@link licenses}. */
export type License = (typeof licenses)[number]

/** The files of a project with its licence: the text in `LICENSE`, and the name in package.json. */
export async function withLicense(
  files: Readonly<Record<string, FileContent>>,
  { license, name, year = new Date().getFullYear() }: { license: License; name: string; year?: number },
): Promise<Record<string, FileContent>> {
  const { name: packageName, version, ...otherMembers } = JSON.parse(String(files['package.json']))
  const manifest = { name: packageName, version, license, ...otherMembers }
  return {
    ...files,
    'package.json': `${JSON.stringify(manifest, undefined, 2)}\n`,
    LICENSE: license === 'MIT' ? mit(year, `the ${name} authors`) : await apache(),
  }
}

/** The text of Apache-2.0, which is the licence of this package itself. */
function apache(): Promise<string> {
  const manifest = fileURLToPath(import.meta.resolve('vcluster-plugin-sdk/package.json'))
  return readFile(manifest.replace(/package\.json$/, 'LICENSE'), 'utf8')
}

/** See https://spdx.org/licenses/MIT.html */
const mit = (year: number, holder: string) => `MIT License

Copyright (c) ${year} ${holder}

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
`
