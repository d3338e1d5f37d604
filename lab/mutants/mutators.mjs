// What is changed in a source, and how: each mutant replaces one stretch of one file.

import { parseSync } from 'rolldown/utils'

/** @typedef {{ kind: string, start: number, end: number, after: string }} Mutation */
/** @typedef {{ type: string, start: number, end: number } & Record<string, any>} Node */

/** @type {Readonly<Record<string, readonly [kind: string, ...others: string[]]>>} */
const OPERATORS = {
  '<': ['comparison', '<=', '>'],
  '<=': ['comparison', '<', '>'],
  '>': ['comparison', '>=', '<'],
  '>=': ['comparison', '>', '<'],
  '===': ['comparison', '!=='],
  '!==': ['comparison', '==='],
  '+': ['arithmetic', '-'],
  '-': ['arithmetic', '+'],
  '*': ['arithmetic', '/'],
  '/': ['arithmetic', '*'],
  '%': ['arithmetic', '*'],
  '&&': ['logical', '||'],
  '||': ['logical', '&&'],
  '+=': ['arithmetic', '-='],
  '-=': ['arithmetic', '+='],
}

/**
 * Every mutation of a source, in the order of their places.
 *
 * @param {string} path its ending says whether it holds JSX
 * @param {string} source
 * @returns {Mutation[]}
 */
export function mutationsOf(path, source) {
  const { program, errors } = parseSync(path, source)
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`)
  /** @type {Mutation[]} */
  const mutations = []
  /** @type {(kind: string, node: { start: number, end: number }, after: string) => void} */
  const add = (kind, { start, end }, after) => mutations.push({ kind, start, end, after })
  const text = (/** @type {Node} */ node) => source.slice(node.start, node.end)
  visit(/** @type {any} */ (program), null, (node, parent) => {
    for (const mutate of MUTATORS[node.type] ?? []) mutate(node, parent, add, text)
  })
  return mutations
    .filter(({ start, end, after }) => source.slice(start, end) !== after)
    .sort((a, b) => a.start - b.start)
}

/** @typedef {(node: Node, parent: Node | null, add: (kind: string, place: { start: number, end: number }, after: string) => void, text: (node: Node) => string) => void} Mutator */

/** @type {Mutator} */
const swapOperator = ({ operator, left, right }, _parent, add, text) => {
  const between = text({ type: '', start: left.end, end: right.start })
  const start = left.end + between.indexOf(operator)
  const [kind, ...others] = OPERATORS[operator] ?? ['']
  // A text that is put together has no difference.
  const isText = operator.startsWith('+') && [left, right].some(isTextual)
  if (!isText) for (const other of others) add(kind, { start, end: start + operator.length }, other)
}

/** @type {Mutator} */
const setCondition = ({ type, test }, _parent, add) => {
  if (!test) return
  // A loop without an end would only be waited for.
  if (!type.startsWith('For') && !type.includes('While')) add('condition', test, 'true')
  add('condition', test, 'false')
}

/** @type {Mutator} */
const dropArgument = (node, _parent, add) => {
  const last = node.arguments.at(-1)
  if (!last || last.type === 'SpreadElement') return
  const start = node.arguments.at(-2)?.end ?? last.start
  add('argument', { start, end: last.end }, '')
  if (last.type !== 'ObjectExpression' || last.properties.length < 2) return
  for (const property of last.properties) {
    const isFirst = property === last.properties[0]
    const place = isFirst
      ? { start: property.start, end: last.properties[1].start }
      : { start: last.properties[last.properties.indexOf(property) - 1].end, end: property.end }
    add('property', place, '')
  }
}

/** @type {Mutator} */
const swallowRejection = ({ callee, arguments: args }, _parent, add) => {
  if (callee.property?.name !== 'catch' || args.length !== 1) return
  const { type, body } = args[0]
  const isSwallowed =
    type === 'ArrowFunctionExpression' && body.type === 'BlockStatement' && !body.body.length
  if (!isSwallowed) add('catch', args[0], '() => undefined')
}

/** @type {Mutator} */
const emptyBody = ({ body }, _parent, add) => {
  if (body?.type === 'BlockStatement' && body.body.length > 0) add('block', body, '{}')
}

/** @type {Readonly<Record<string, readonly Mutator[]>>} */
const MUTATORS = {
  BinaryExpression: [swapOperator],
  AssignmentExpression: [swapOperator],
  LogicalExpression: [
    swapOperator,
    ({ operator, left, right }, _parent, add, text) => {
      if (operator !== '??' && operator !== '||') return
      const whole = { start: left.start, end: right.end }
      add('fallback', whole, text(left))
      add('fallback', whole, text(right))
    },
  ],
  UnaryExpression: [
    (node, _parent, add, text) => node.operator === '!' && add('negation', node, text(node.argument)),
  ],
  UpdateExpression: [
    ({ operator, prefix, start, end }, _parent, add) =>
      add(
        'arithmetic',
        prefix ? { start, end: start + 2 } : { start: end - 2, end },
        operator === '++' ? '--' : '++',
      ),
  ],
  IfStatement: [setCondition],
  ConditionalExpression: [setCondition],
  WhileStatement: [setCondition],
  ForStatement: [setCondition],
  ExpressionStatement: [
    (node, _parent, add) => {
      const call = node.expression.type === 'AwaitExpression' ? node.expression.argument : node.expression
      const isCall = (call.type === 'ChainExpression' ? call.expression : call).type === 'CallExpression'
      if (isCall && call.callee?.type !== 'Super') add('call', node, ';')
    },
  ],
  CallExpression: [dropArgument, swallowRejection],
  NewExpression: [dropArgument],
  FunctionDeclaration: [emptyBody],
  FunctionExpression: [emptyBody],
  ArrowFunctionExpression: [emptyBody],
  CatchClause: [emptyBody],
  IfBlock: [emptyBody],
  ReturnStatement: [
    ({ argument }, _parent, add) => {
      if (argument && argument.type !== 'Literal') add('return', argument, 'undefined')
    },
  ],
  ArrayExpression: [(node, _parent, add) => node.elements.length > 0 && add('list', node, '[]')],
  ObjectExpression: [(node, _parent, add) => node.properties.length > 0 && add('object', node, '({})')],
  TemplateLiteral: [
    (node, parent, add) => {
      const isForPeople = WORDS.test(
        node.quasis.map((/** @type {Node} */ quasi) => quasi.value.cooked).join(''),
      )
      if (parent?.type !== 'TaggedTemplateExpression' && !isForPeople) add('text', node, '``')
    },
  ],
  Literal: [
    (node, parent, add) => {
      if (typeof node.value === 'boolean') add('boolean', node, String(!node.value))
      const isName =
        parent?.type === 'JSXAttribute' || parent?.key === node || parent?.type === 'ImportExpression'
      if (typeof node.value !== 'string' || isName || WORDS.test(node.value)) return
      add('text', node, node.value === '' ? "'mutated'" : "''")
    },
  ],
}

/** Words for people: tests need not repeat them. */
const WORDS = /^\p{Lu}.* /u

/** @param {Node} node */
function isTextual(node) {
  return node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string')
}

/** What does not run: types, and the names of other modules. */
const isInert = (/** @type {Node} */ { type, declare, directive, importKind }) =>
  declare === true ||
  typeof directive === 'string' ||
  type === 'ImportDeclaration' ||
  type === 'ExportAllDeclaration' ||
  (type.startsWith('TS') &&
    !['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'].includes(type)) ||
  importKind === 'type'

/** Where an expression holds a type beside its value. */
const TYPES = new Set([
  'typeAnnotation',
  'typeArguments',
  'typeParameters',
  'returnType',
  'superTypeArguments',
])

/**
 * @param {Node} node
 * @param {Node | null} parent
 * @param {(node: Node, parent: Node | null) => void} look
 */
function visit(node, parent, look) {
  if (isInert(node) || (node.type === 'ExportNamedDeclaration' && node.source)) return
  look(node, parent)
  for (const [key, value] of Object.entries(node)) {
    if (TYPES.has(key)) continue
    for (const child of Array.isArray(value) ? value : [value])
      if (typeof child?.type === 'string') visit(child, node, look)
  }
}
