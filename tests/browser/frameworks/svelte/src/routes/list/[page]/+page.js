export const load = async ({ fetch, params }) => (await fetch(`/data/list/${params.page}.json`)).json();
