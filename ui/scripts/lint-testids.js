// `data-testid` is for tests. Code and styles that select by it would break when a test id is renamed or stripped; they use element
// bindings, roles, or a data attribute that says what it is for.
const USE = /\[data-testid|dataset(?:\.testid|\[['"]testid['"]\])|getAttribute\(['"]data-testid['"]\)/g;

const noTestids = {
  meta: { type: 'problem', schema: [], messages: { testid: 'data-testid is for tests only: bind the element, or select by a role or another attribute' } },
  create(context) {
    const { sourceCode } = context;
    return {
      Program() {
        for (const { index } of sourceCode.text.matchAll(USE)) context.report({ loc: sourceCode.getLocFromIndex(index), messageId: 'testid' });
      },
    };
  },
};

export default { rules: { 'no-testids': noTestids } };
