const PATCH = { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'] };

type ScimRequest = [method: string, path: string, json?: unknown];

/** Requests to change a user and a group, and to list, whose values have other types than SCIM says. */
export function hostileScimRequests(
  { id, userName }: { id: string; userName: string },
  group: { id: string; displayName: string },
): ScimRequest[] {
  const deep = JSON.parse(`${'['.repeat(60)}${']'.repeat(60)}`) as unknown;
  const values = [
    null,
    7,
    true,
    '',
    'x',
    [],
    [null],
    [[]],
    {},
    { toString: 1 },
    { value: { value: {} } },
    deep,
    '字'.repeat(1_000),
  ];
  const requests: ScimRequest[] = [];
  for (const value of values) {
    for (const path of ['/Users', '/Groups', `/Users/${id}`, `/Groups/${group.id}`])
      requests.push([path.includes(id) || path.includes(group.id) ? 'PUT' : 'POST', path, value]);
    for (const name of ['userName', 'externalId', 'active', 'name', 'displayName', 'emails', 'members']) {
      const body = { userName, displayName: group.displayName, [name]: value };
      requests.push(['PUT', `/Users/${id}`, body], ['PUT', `/Groups/${group.id}`, body]);
      for (const op of ['add', 'replace', 'remove'])
        for (const path of [`/Users/${id}`, `/Groups/${group.id}`])
          requests.push(['PATCH', path, { ...PATCH, Operations: [{ op, path: name, value }] }]);
    }
    for (const path of [`/Users/${id}`, `/Groups/${group.id}`])
      for (const operations of [
        value,
        [value],
        [{ op: value }],
        [{ op: 'add', path: value }],
        [{ op: 'add', value }],
      ])
        requests.push(['PATCH', path, { ...PATCH, Operations: operations }]);
  }
  for (const query of [
    'filter=a&filter=b',
    'filter[a]=b',
    'startIndex=1&startIndex=2',
    'count=1&count=x',
    'count=1e309',
    'excludedAttributes=members&excludedAttributes=x',
    'filter=',
    'filter=%00',
  ])
    for (const path of ['/Users', '/Groups', `/Groups/${group.id}`])
      requests.push(['GET', `${path}?${query}`]);
  return requests;
}
