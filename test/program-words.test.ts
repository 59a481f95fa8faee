// Tests that the texts of the SDK which every kind of program shares do not call the program a plugin.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import ts from 'typescript'

/** The folders whose code also runs in operators, or does not know the kind of the program. */
const folders = [
  'sdk/engine',
  'sdk/operator',
  'sdk/helm',
  'sdk/modules',
  'cli/program',
  'cli/inspector',
  'cli/why',
]

/** Texts in which a plugin is meant, or something else of that name. */
const permitted = [
  /\bexec plugin\b/, // of a kubeconfig
  /^plugin\.vcluster\.loft\.sh\//, // labels
  /^plugin$/, // the noun of a program, and the default key of a ConfigMap of a Module
  /an operator or a plugin\b/,
  /\ba plugin of Go\b/,
  /^a plugin of a vcluster makes no managed Workspaces/,
  /^a plugin cannot put its vcluster to sleep/,
  /in the image for plugins inside vcluster/,
  /\(a plugin: init, register, start\)/,
  /\ba plugin (of a vcluster|for CloudNativePG)\b/,
  /^the plugin (is running|serves the operator)$/, // log lines of a plugin
]

/** Every string and template of a source file, except the modules that it imports. */
function textsOf(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest)
  const texts: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return
    if (ts.isStringLiteralLike(node)) texts.push(node.text)
    else if (ts.isTemplateExpression(node))
      texts.push([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…'))
    ts.forEachChild(node, visit)
  }
  visit(source)
  return texts
}

const isProgramText = (file: string) =>
  file.endsWith('.ts') && !/\.(test|fixture)\.ts$|\/gen\/|inspector\/page\//.test(file)

for (const folder of folders)
  void t.test(`${folder} does not call every program a plugin`, async (t) => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    const sources = files.map((file) => join(folder, file)).filter(isProgramText)
    t.ok(sources.length > 1, `${sources.length} files`)
    const found = sources.flatMap((file) =>
      textsOf(file)
        .filter((text) => /\bplugins?\b/.test(text.replaceAll('vcluster-plugin', '')))
        .filter((text) => !permitted.some((one) => one.test(text)))
        .map((text) => `${file}: ${text}`),
    )
    t.same(found, [])
  })
