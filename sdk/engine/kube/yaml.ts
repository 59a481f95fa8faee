// Named one by one: a splitting bundler does not know the exports of a CommonJS package that is loaded late.
export { isScalar, LineCounter, parseAllDocuments, parseDocument, stringify, visit } from 'yaml'
