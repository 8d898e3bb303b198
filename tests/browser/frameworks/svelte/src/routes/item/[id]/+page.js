export const load = async ({ fetch, params }) => (await fetch(`/data/item/${params.id}.json`)).json();
