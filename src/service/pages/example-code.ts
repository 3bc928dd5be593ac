/** One request in the languages of those who call the service. Each is a program that runs as it stands, with the key in KEY. */

export interface ExampleCode {
  language: string;
  code: string;
}

/** @param url of the operation. @param parameters as JSON */
export function exampleCode(url: string, parameters: string): ExampleCode[] {
  const shell = parameters.replaceAll("'", "'\\''");
  const text = JSON.stringify(parameters);
  return [
    {
      language: 'curl',
      code: `curl -X POST "${url}" \\
  -H "X-API-Key: $KEY" -H "Content-Type: application/json" \\
  -d '${shell}'`,
    },
    {
      language: 'Python',
      code: `import json, os, urllib.request

request = urllib.request.Request(
    "${url}",
    data=json.dumps(json.loads(${text})).encode(),
    headers={"X-API-Key": os.environ["KEY"], "Content-Type": "application/json"},
)
print(json.load(urllib.request.urlopen(request)))`,
    },
    {
      language: 'R',
      code: `library(httr2)

request("${url}") |>
  req_headers(\`X-API-Key\` = Sys.getenv("KEY")) |>
  req_body_raw(${text}, "application/json") |>
  req_perform() |>
  resp_body_json()`,
    },
    {
      language: 'Node.js',
      code: `const response = await fetch("${url}", {
  method: "POST",
  headers: { "X-API-Key": process.env.KEY, "Content-Type": "application/json" },
  body: JSON.stringify(${parameters}),
});
console.log(await response.json());`,
    },
  ];
}
