// The diagrams of the documents. `npm run diagrams` draws docs/diagrams/*.dot as SVG files next to them, and
// test/docs.test.ts fails if a drawing does not match its source.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { argv } from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { instance } from '@viz-js/viz'

const folder = new URL('../docs/diagrams/', import.meta.url)

/** A drawing of a .dot file. */
export interface Diagram {
  /** The file name in docs/diagrams. */
  file: string
  svg: string
}

/** Draws every .dot file of the folder. */
export async function diagrams(): Promise<Diagram[]> {
  const viz = await instance()
  const texts = readdirSync(folder).filter((file) => file.endsWith('.dot'))
  return texts.sort().map((text) => {
    const drawn = viz.renderString(readFileSync(new URL(text, folder), 'utf8'), { format: 'svg', ...look })
    return { file: `${basename(text, '.dot')}.svg`, svg: withStyle(drawn) }
  })
}

const look = {
  graphAttributes: {
    fontname: 'Helvetica',
    fontsize: 14,
    bgcolor: 'transparent',
    pad: 0.2,
    style: 'rounded',
  },
  nodeAttributes: { fontname: 'Helvetica', fontsize: 11, margin: '0.25,0.1', shape: 'box', style: 'rounded' },
  edgeAttributes: { fontname: 'Helvetica', fontsize: 10, arrowsize: 0.7 },
}

/** Readable on light and dark pages. The parts that a plugin's author writes are highlighted. */
const style = `<style>
svg { color: #24292f; background: #fff }
text { fill: currentColor; font-family: Helvetica, Arial, sans-serif }
.node path, .node polygon, .node polyline, .edge path, .edge polygon, .cluster path, .cluster polygon { stroke: currentColor }
.edge polygon { fill: currentColor }
.ours path { fill: #d3e5ff; stroke-width: 2 }
@media (prefers-color-scheme: dark) { svg { color: #d0d7de; background: #0d1117 } .ours path { fill: #1f3a5f } }
</style>`

function withStyle(svg: string): string {
  const body = svg.slice(svg.indexOf('<svg')).replaceAll(/ (?:stroke|fill)="(?:black|lightgrey)"/g, '')
  return `${body.replace('>', () => `>\n${style}`).trimEnd()}\n`
}

if (argv[1] && import.meta.url === pathToFileURL(argv[1]).href) {
  for (const { file, svg } of await diagrams()) {
    writeFileSync(new URL(file, folder), svg)
    console.log(fileURLToPath(new URL(file, folder)))
  }
}
