// A class with many public members has many responsibilities. Private members (`#name`, `private`, `protected`) don't count, nor do the
// overloads of one name; a parameter property of the constructor does.
const HIDDEN = new Set(['private', 'protected']);

function publicNames(body) {
  const names = new Set();
  for (const member of body.body) {
    if (member.kind === 'constructor') {
      for (const parameter of member.value.params) {
        if (parameter.type !== 'TSParameterProperty' || HIDDEN.has(parameter.accessibility)) continue;
        const target = parameter.parameter.type === 'AssignmentPattern' ? parameter.parameter.left : parameter.parameter;
        names.add(target.name);
      }
    } else if (member.key && member.key.type !== 'PrivateIdentifier' && !HIDDEN.has(member.accessibility)) {
      names.add(member.computed ? member : (member.key.name ?? member.key.value));
    }
  }
  return names;
}

const maxPublicMembers = {
  meta: {
    type: 'suggestion',
    schema: [{ type: 'object', properties: { max: { type: 'integer', minimum: 1 } }, required: ['max'], additionalProperties: false }],
    messages: { many: '{{name}} has {{count}} public members, at most {{max}} are allowed: split it by responsibility' },
  },
  create(context) {
    const { max } = context.options[0];
    return {
      ClassBody(node) {
        const count = publicNames(node).size;
        const { id } = node.parent;
        if (count > max) context.report({ node: id ?? node, messageId: 'many', data: { name: id?.name ?? 'The class', count, max } });
      },
    };
  },
};

export default { rules: { 'max-public-members': maxPublicMembers } };
